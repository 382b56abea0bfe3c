#include "vm/launcher/vm.h"
