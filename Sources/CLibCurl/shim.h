// libcurl as Swift can call it. Its setters and getters are variadic, which Swift does not import; here is one of each
// for every type of argument that is used.
#pragma once
#include <curl/curl.h>

// These wrap the functions in macros that check the argument's type, as the functions below do by themselves.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

typedef size_t (*chunk_curl_data_callback)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);
typedef int (*chunk_curl_ready_callback)(void *_Nullable context, char *_Nullable remote_address,
                                         char *_Nullable local_address, int remote_port, int local_port);

static inline CURLcode chunk_curl_set_long(CURL *_Nonnull handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

// The string is copied by libcurl.
static inline CURLcode chunk_curl_set_string(CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode chunk_curl_set_pointer(CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

// The list is not copied.
static inline CURLcode chunk_curl_set_list(CURL *_Nonnull handle, CURLoption option,
                                           struct curl_slist *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode chunk_curl_set_data_callback(CURL *_Nonnull handle, CURLoption option,
                                                    chunk_curl_data_callback _Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode chunk_curl_set_ready_callback(CURL *_Nonnull handle,
                                                     chunk_curl_ready_callback _Nullable value) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode chunk_curl_get_long(CURL *_Nonnull handle, CURLINFO info, long *_Nonnull value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode chunk_curl_get_pointer(CURL *_Nonnull handle, CURLINFO info,
                                              void *_Nullable *_Nonnull value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode chunk_curl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
