// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.util.zip.Inflater, Deflater and Adler32 on the system's zlib; CRC32.
//
// Input and output are used in place in the heap. Nothing moves, because no safepoint can be reached inside zlib; but a
// safepoint has to wait for one call, that is for one buffer of the caller.
//
// Result of a call, one long:    63          62        61 .. 31        30 .. 0
//                             need dict /  finished   bytes written   bytes read
//                             keep params
#include <limits.h>
#include <zlib.h>

#include "classlib/natives/java.base/io/crc32.h"
#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/io/io_support.h"
#include "runtime/threads/no_safepoint.h"

namespace keyhole::natives {
namespace {

using namespace io;

constinit const JavaField input_consumed("inputConsumed", "I");
constinit const JavaField output_consumed("outputConsumed", "I");

z_stream* stream_of(i64 address) { return native_address<z_stream>(address); }
u8* heap_bytes(Handle array, i32 offset) TOUCHES_OBJECTS { return array->elements<u8>() + offset; }

i64 pack(u32 read, u32 written, bool finished, bool top) {
  return static_cast<i64>(u64{read} | u64{written} << 31 | u64{finished} << 62 | u64{top} << 63);
}

const char* message_of(const z_stream* stream, const char* otherwise) {
  return stream->msg != nullptr ? stream->msg : otherwise;
}

void throw_internal(JavaThread* thread, const char* message) MAY_SAFEPOINT {
  throw_message(thread, Symbol::intern("java/lang/InternalError"), message);
}

void throw_init_failure(JavaThread* thread, int status, const z_stream* stream, const char* function) MAY_SAFEPOINT {
  if (status == Z_MEM_ERROR) {
    throw_out_of_memory(thread, "");
    return;
  }
  const char* otherwise = status == Z_VERSION_ERROR
                              ? "zlib returned Z_VERSION_ERROR: compile time and runtime zlib implementations differ"
                          : status == Z_STREAM_ERROR ? "inflateInit2 returned Z_STREAM_ERROR"
                                                     : "unknown error initializing zlib library";
  throw_internal(thread, message_of(stream, otherwise));
}

template <typename Call> int without_safepoint(Call call) {
  NoSafepoint no_safepoint;
  return call();
}

i64 run_inflate(JavaThread* thread, Handle self, i64 address, u8* input, i32 input_length, u8* output,
                i32 output_length) MAY_SAFEPOINT {
  z_stream* stream = stream_of(address);
  stream->next_in = input;
  stream->avail_in = static_cast<uInt>(input_length);
  stream->next_out = output;
  stream->avail_out = static_cast<uInt>(output_length);
  int status = without_safepoint([&] { return inflate(stream, Z_SYNC_FLUSH); });
  u32 read = static_cast<u32>(input_length) - stream->avail_in,
      written = static_cast<u32>(output_length) - stream->avail_out;
  switch (status) {
    case Z_OK: return pack(read, written, false, false);
    case Z_STREAM_END: return pack(read, written, true, false);
    case Z_NEED_DICT: return pack(read, written, false, true);
    case Z_BUF_ERROR: return 0;  // no progress was possible; nothing was consumed
    case Z_DATA_ERROR:
      input_consumed.set<i32>(self.get(), static_cast<i32>(read));
      output_consumed.set<i32>(self.get(), static_cast<i32>(written));
      throw_message(thread, Symbol::intern("java/util/zip/DataFormatException"), stream->msg);
      return 0;
    case Z_MEM_ERROR: throw_out_of_memory(thread, ""); return 0;
    default: throw_internal(thread, message_of(stream, "inflate failed")); return 0;
  }
}

// Deflates. `parameters`: bit 0 = set them, bits 1..2 strategy, bits 3.. level. deflateParams sets them only if it has
// room to flush earlier output; otherwise the result's top bit is set, and the caller keeps them.
i64 run_deflate(JavaThread* thread, i64 address, u8* input, i32 input_length, u8* output, i32 output_length, i32 flush,
                i32 parameters) MAY_SAFEPOINT {
  z_stream* stream = stream_of(address);
  stream->next_in = input;
  stream->avail_in = static_cast<uInt>(input_length);
  stream->next_out = output;
  stream->avail_out = static_cast<uInt>(output_length);
  bool set_parameters = (parameters & 1) != 0;
  int status = without_safepoint([&] {
    return set_parameters ? deflateParams(stream, parameters >> 3, parameters >> 1 & 3) : deflate(stream, flush);
  });
  u32 read = static_cast<u32>(input_length) - stream->avail_in,
      written = static_cast<u32>(output_length) - stream->avail_out;
  switch (status) {
    case Z_OK: return pack(read, written, false, false);
    case Z_STREAM_END: return pack(read, written, true, false);
    case Z_BUF_ERROR: return set_parameters ? pack(read, written, false, true) : 0;
    default: throw_internal(thread, message_of(stream, "deflate failed")); return 0;
  }
}

void set_dictionary(JavaThread* thread, int status, const z_stream* stream) MAY_SAFEPOINT {
  if (status == Z_STREAM_ERROR || status == Z_DATA_ERROR)
    throw_message(thread, Symbol::intern("java/lang/IllegalArgumentException"), stream->msg);
  else if (status != Z_OK) throw_internal(thread, message_of(stream, "setDictionary failed"));
}

}  // namespace

// --- Inflater --------------------------------------------------------------------------------------------------------

i64 Inflater_init(JavaThread* thread, bool raw) {
  auto stream = std::make_unique<z_stream>();
  int status = inflateInit2(stream.get(), raw ? -MAX_WBITS : MAX_WBITS);
  if (status != Z_OK) {
    throw_init_failure(thread, status, stream.get(), "inflateInit2");
    return 0;
  }
  return static_cast<i64>(reinterpret_cast<uptr>(stream.release()));
}
void Inflater_setDictionary(JavaThread* thread, i64 address, Handle bytes, i32 offset, i32 length) {
  z_stream* stream = stream_of(address);
  set_dictionary(thread, inflateSetDictionary(stream, heap_bytes(bytes, offset), static_cast<uInt>(length)), stream);
}
void Inflater_setDictionaryBuffer(JavaThread* thread, i64 address, i64 bytes, i32 length) {
  z_stream* stream = stream_of(address);
  set_dictionary(thread, inflateSetDictionary(stream, native_address<u8>(bytes), static_cast<uInt>(length)), stream);
}
i64 Inflater_inflateBytesBytes(JavaThread* thread, Handle self, i64 address, Handle input, i32 input_offset,
                               i32 input_length, Handle output, i32 output_offset, i32 output_length) {
  return run_inflate(thread, self, address, heap_bytes(input, input_offset), input_length,
                     heap_bytes(output, output_offset), output_length);
}
i64 Inflater_inflateBytesBuffer(JavaThread* thread, Handle self, i64 address, Handle input, i32 input_offset,
                                i32 input_length, i64 output, i32 output_length) {
  return run_inflate(thread, self, address, heap_bytes(input, input_offset), input_length, native_address<u8>(output),
                     output_length);
}
i64 Inflater_inflateBufferBytes(JavaThread* thread, Handle self, i64 address, i64 input, i32 input_length,
                                Handle output, i32 output_offset, i32 output_length) {
  return run_inflate(thread, self, address, native_address<u8>(input), input_length, heap_bytes(output, output_offset),
                     output_length);
}
i64 Inflater_inflateBufferBuffer(JavaThread* thread, Handle self, i64 address, i64 input, i32 input_length, i64 output,
                                 i32 output_length) {
  return run_inflate(thread, self, address, native_address<u8>(input), input_length, native_address<u8>(output),
                     output_length);
}
i32 Inflater_getAdler(JavaThread*, i64 address) { return static_cast<i32>(stream_of(address)->adler); }
void Inflater_reset(JavaThread* thread, i64 address) {
  if (inflateReset(stream_of(address)) != Z_OK) throw_internal(thread, nullptr);
}
void Inflater_end(JavaThread* thread, i64 address) {
  int status = inflateEnd(stream_of(address));
  delete stream_of(address);
  if (status == Z_STREAM_ERROR) throw_internal(thread, nullptr);
}

// --- Deflater --------------------------------------------------------------------------------------------------------

i64 Deflater_init(JavaThread* thread, i32 level, i32 strategy, bool raw) {
  constexpr int memory_level = 8;
  auto stream = std::make_unique<z_stream>();
  int status = deflateInit2(stream.get(), level, Z_DEFLATED, raw ? -MAX_WBITS : MAX_WBITS, memory_level, strategy);
  if (status == Z_STREAM_ERROR) {
    throw_message(thread, Symbol::intern("java/lang/IllegalArgumentException"), static_cast<const char*>(nullptr));
    return 0;
  }
  if (status != Z_OK) {
    throw_init_failure(thread, status, stream.get(), "deflateInit2");
    return 0;
  }
  return static_cast<i64>(reinterpret_cast<uptr>(stream.release()));
}
void Deflater_setDictionary(JavaThread* thread, i64 address, Handle bytes, i32 offset, i32 length) {
  z_stream* stream = stream_of(address);
  set_dictionary(thread, deflateSetDictionary(stream, heap_bytes(bytes, offset), static_cast<uInt>(length)), stream);
}
void Deflater_setDictionaryBuffer(JavaThread* thread, i64 address, i64 bytes, i32 length) {
  z_stream* stream = stream_of(address);
  set_dictionary(thread, deflateSetDictionary(stream, native_address<u8>(bytes), static_cast<uInt>(length)), stream);
}
i64 Deflater_deflateBytesBytes(JavaThread* thread, Handle, i64 address, Handle input, i32 input_offset,
                               i32 input_length, Handle output, i32 output_offset, i32 output_length, i32 flush,
                               i32 parameters) {
  return run_deflate(thread, address, heap_bytes(input, input_offset), input_length, heap_bytes(output, output_offset),
                     output_length, flush, parameters);
}
i64 Deflater_deflateBytesBuffer(JavaThread* thread, Handle, i64 address, Handle input, i32 input_offset,
                                i32 input_length, i64 output, i32 output_length, i32 flush, i32 parameters) {
  return run_deflate(thread, address, heap_bytes(input, input_offset), input_length, native_address<u8>(output),
                     output_length, flush, parameters);
}
i64 Deflater_deflateBufferBytes(JavaThread* thread, Handle, i64 address, i64 input, i32 input_length, Handle output,
                                i32 output_offset, i32 output_length, i32 flush, i32 parameters) {
  return run_deflate(thread, address, native_address<u8>(input), input_length, heap_bytes(output, output_offset),
                     output_length, flush, parameters);
}
i64 Deflater_deflateBufferBuffer(JavaThread* thread, Handle, i64 address, i64 input, i32 input_length, i64 output,
                                 i32 output_length, i32 flush, i32 parameters) {
  return run_deflate(thread, address, native_address<u8>(input), input_length, native_address<u8>(output),
                     output_length, flush, parameters);
}
i32 Deflater_getAdler(JavaThread*, i64 address) { return static_cast<i32>(stream_of(address)->adler); }
void Deflater_reset(JavaThread* thread, i64 address) {
  if (deflateReset(stream_of(address)) != Z_OK) throw_internal(thread, nullptr);
}
void Deflater_end(JavaThread* thread, i64 address) {
  int status = deflateEnd(stream_of(address));  // Z_DATA_ERROR: ended before finish(), which is allowed
  delete stream_of(address);
  if (status == Z_STREAM_ERROR) throw_internal(thread, nullptr);
}

// --- checksums -------------------------------------------------------------------------------------------------------

i32 CRC32_update(JavaThread*, i32 crc, i32 value) {
  u8 byte = static_cast<u8>(value);
  return static_cast<i32>(crc32_of(static_cast<u32>(crc), {&byte, 1}));
}
i32 CRC32_updateBytes0(JavaThread*, i32 crc, Handle bytes, i32 offset, i32 length) {
  return static_cast<i32>(crc32_of(static_cast<u32>(crc), {heap_bytes(bytes, offset), static_cast<usize>(length)}));
}
i32 CRC32_updateByteBuffer0(JavaThread*, i32 crc, i64 address, i32 offset, i32 length) {
  return static_cast<i32>(
      crc32_of(static_cast<u32>(crc), {native_address<u8>(address) + offset, static_cast<usize>(length)}));
}
i32 Adler32_update(JavaThread*, i32 adler, i32 value) {
  u8 byte = static_cast<u8>(value);
  return static_cast<i32>(adler32(static_cast<u32>(adler), &byte, 1));
}
i32 Adler32_updateBytes(JavaThread*, i32 adler, Handle bytes, i32 offset, i32 length) {
  return static_cast<i32>(adler32(static_cast<u32>(adler), heap_bytes(bytes, offset), static_cast<uInt>(length)));
}
i32 Adler32_updateByteBuffer(JavaThread*, i32 adler, i64 address, i32 offset, i32 length) {
  return static_cast<i32>(
      adler32(static_cast<u32>(adler), native_address<u8>(address) + offset, static_cast<uInt>(length)));
}

}  // namespace keyhole::natives
