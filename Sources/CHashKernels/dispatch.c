#include "CHashKernels.h"
