// hstar/version.hpp
//
// The version, for `#if` as for people; CMakeLists.txt reads it here. hstar is a static library: before 1.0 what one
// version compiled is not to be linked with another.
#pragma once

#define HSTAR_VERSION_MAJOR 0
#define HSTAR_VERSION_MINOR 1
#define HSTAR_VERSION_PATCH 0
#define HSTAR_VERSION "0.1.0"
