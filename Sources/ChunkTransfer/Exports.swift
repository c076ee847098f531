// File IDs, digests and chunk indices are part of what a download reports: one import is enough.
@_exported public import ChunkCore
