// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of java.io, java.nio, java.util.zip and java.net; names and parameters as in
// vm/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// java.io.FileDescriptor
void FileDescriptor_sync(JavaThread*, Handle);
void FileDescriptor_initIDs(JavaThread*);
i64 FileDescriptor_getHandle(JavaThread*, i32);
bool FileDescriptor_getAppend(JavaThread*, i32);
void FileDescriptor_close0(JavaThread*, Handle);

// java.io.FileCleanable
void FileCleanable_cleanupClose0(JavaThread*, i32, i64);

// java.io.FileInputStream
void FileInputStream_open0(JavaThread*, Handle, Handle);
i32 FileInputStream_read0(JavaThread*, Handle);
i32 FileInputStream_readBytes(JavaThread*, Handle, Handle, i32, i32);
i64 FileInputStream_length0(JavaThread*, Handle);
i64 FileInputStream_position0(JavaThread*, Handle);
i64 FileInputStream_skip0(JavaThread*, Handle, i64);
i32 FileInputStream_available0(JavaThread*, Handle);

// java.io.FileOutputStream
void FileOutputStream_open0(JavaThread*, Handle, Handle, bool);
void FileOutputStream_write(JavaThread*, Handle, i32, bool);
void FileOutputStream_writeBytes(JavaThread*, Handle, Handle, i32, i32, bool);

// java.io.RandomAccessFile
void RandomAccessFile_open0(JavaThread*, Handle, Handle, i32);
i32 RandomAccessFile_read0(JavaThread*, Handle);
i32 RandomAccessFile_readBytes(JavaThread*, Handle, Handle, i32, i32);
void RandomAccessFile_write0(JavaThread*, Handle, i32);
void RandomAccessFile_writeBytes(JavaThread*, Handle, Handle, i32, i32);
i64 RandomAccessFile_getFilePointer(JavaThread*, Handle);
void RandomAccessFile_seek0(JavaThread*, Handle, i64);
i64 RandomAccessFile_length(JavaThread*, Handle);
void RandomAccessFile_setLength(JavaThread*, Handle, i64);

// java.io.UnixFileSystem
Object* UnixFileSystem_canonicalize0(JavaThread*, Handle, Handle);
i32 UnixFileSystem_getBooleanAttributes0(JavaThread*, Handle, Handle);
bool UnixFileSystem_checkAccess(JavaThread*, Handle, Handle, i32);
i64 UnixFileSystem_getLastModifiedTime(JavaThread*, Handle, Handle);
i64 UnixFileSystem_getLength(JavaThread*, Handle, Handle);
bool UnixFileSystem_setPermission(JavaThread*, Handle, Handle, i32, bool, bool);
bool UnixFileSystem_createFileExclusively(JavaThread*, Handle, Handle);
bool UnixFileSystem_delete0(JavaThread*, Handle, Handle);
Object* UnixFileSystem_list(JavaThread*, Handle, Handle);
bool UnixFileSystem_createDirectory(JavaThread*, Handle, Handle);
bool UnixFileSystem_rename0(JavaThread*, Handle, Handle, Handle);
bool UnixFileSystem_setLastModifiedTime(JavaThread*, Handle, Handle, i64);
bool UnixFileSystem_setReadOnly(JavaThread*, Handle, Handle);
i64 UnixFileSystem_getSpace(JavaThread*, Handle, Handle, i32);
i64 UnixFileSystem_getNameMax0(JavaThread*, Handle, Handle);

// java.io.Console
Object* Console_encoding(JavaThread*);
bool Console_echo(JavaThread*, bool);
i32 Console_ttyStatus(JavaThread*);

// sun.nio.fs.UnixNativeDispatcher
Object* UnixNativeDispatcher_getcwd(JavaThread*);
i32 UnixNativeDispatcher_dup(JavaThread*, i32);
i32 UnixNativeDispatcher_open0(JavaThread*, i64, i32, i32);
i32 UnixNativeDispatcher_openat0(JavaThread*, i32, i64, i32, i32);
void UnixNativeDispatcher_close0(JavaThread*, i32);
void UnixNativeDispatcher_rewind(JavaThread*, i64);
i32 UnixNativeDispatcher_getlinelen(JavaThread*, i64);
void UnixNativeDispatcher_link0(JavaThread*, i64, i64);
void UnixNativeDispatcher_unlink0(JavaThread*, i64);
void UnixNativeDispatcher_unlinkat0(JavaThread*, i32, i64, i32);
void UnixNativeDispatcher_mknod0(JavaThread*, i64, i32, i64);
void UnixNativeDispatcher_rename0(JavaThread*, i64, i64);
void UnixNativeDispatcher_renameat0(JavaThread*, i32, i64, i32, i64);
void UnixNativeDispatcher_mkdir0(JavaThread*, i64, i32);
void UnixNativeDispatcher_rmdir0(JavaThread*, i64);
Object* UnixNativeDispatcher_readlink0(JavaThread*, i64);
Object* UnixNativeDispatcher_realpath0(JavaThread*, i64);
void UnixNativeDispatcher_symlink0(JavaThread*, i64, i64);
void UnixNativeDispatcher_stat0(JavaThread*, i64, Handle);
i32 UnixNativeDispatcher_stat1(JavaThread*, i64);
void UnixNativeDispatcher_lstat0(JavaThread*, i64, Handle);
void UnixNativeDispatcher_fstat(JavaThread*, i32, Handle);
void UnixNativeDispatcher_fstatat0(JavaThread*, i32, i64, i32, Handle);
void UnixNativeDispatcher_chown0(JavaThread*, i64, i32, i32);
void UnixNativeDispatcher_lchown0(JavaThread*, i64, i32, i32);
void UnixNativeDispatcher_fchown(JavaThread*, i32, i32, i32);
void UnixNativeDispatcher_chmod0(JavaThread*, i64, i32);
void UnixNativeDispatcher_fchmod(JavaThread*, i32, i32);
void UnixNativeDispatcher_utimes0(JavaThread*, i64, i64, i64);
void UnixNativeDispatcher_futimes(JavaThread*, i32, i64, i64);
void UnixNativeDispatcher_futimens(JavaThread*, i32, i64, i64);
void UnixNativeDispatcher_lutimes0(JavaThread*, i64, i64, i64);
i64 UnixNativeDispatcher_opendir0(JavaThread*, i64);
i64 UnixNativeDispatcher_fdopendir(JavaThread*, i32);
void UnixNativeDispatcher_closedir(JavaThread*, i64);
Object* UnixNativeDispatcher_readdir(JavaThread*, i64);
i32 UnixNativeDispatcher_read(JavaThread*, i32, i64, i32);
i32 UnixNativeDispatcher_write(JavaThread*, i32, i64, i32);
void UnixNativeDispatcher_access0(JavaThread*, i64, i32);
bool UnixNativeDispatcher_exists0(JavaThread*, i64);
Object* UnixNativeDispatcher_getpwuid(JavaThread*, i32);
Object* UnixNativeDispatcher_getgrgid(JavaThread*, i32);
i32 UnixNativeDispatcher_getpwnam0(JavaThread*, i64);
i32 UnixNativeDispatcher_getgrnam0(JavaThread*, i64);
void UnixNativeDispatcher_statvfs0(JavaThread*, i64, Handle);
Object* UnixNativeDispatcher_strerror(JavaThread*, i32);
i32 UnixNativeDispatcher_fgetxattr0(JavaThread*, i32, i64, i64, i32);
void UnixNativeDispatcher_fsetxattr0(JavaThread*, i32, i64, i64, i32);
void UnixNativeDispatcher_fremovexattr0(JavaThread*, i32, i64);
i32 UnixNativeDispatcher_flistxattr(JavaThread*, i32, i64, i32);
i32 UnixNativeDispatcher_init(JavaThread*);

// sun.nio.fs.UnixCopyFile
void UnixCopyFile_transfer(JavaThread*, i32, i32, i64);

// sun.nio.fs.LinuxNativeDispatcher
i64 LinuxNativeDispatcher_setmntent0(JavaThread*, i64, i64);
i32 LinuxNativeDispatcher_getmntent0(JavaThread*, i64, Handle, i64, i32);
void LinuxNativeDispatcher_endmntent(JavaThread*, i64);

// sun.nio.fs.LinuxWatchService
i32 LinuxWatchService_eventSize(JavaThread*);
Object* LinuxWatchService_eventOffsets(JavaThread*);
i32 LinuxWatchService_inotifyInit(JavaThread*);
i32 LinuxWatchService_inotifyAddWatch(JavaThread*, i32, i64, i32);
void LinuxWatchService_inotifyRmWatch(JavaThread*, i32, i32);
void LinuxWatchService_configureBlocking(JavaThread*, i32, bool);
void LinuxWatchService_socketpair(JavaThread*, Handle);
i32 LinuxWatchService_poll(JavaThread*, i32, i32);

// sun.nio.ch.FileDispatcherImpl
i32 FileDispatcherImpl_read0(JavaThread*, Handle, i64, i32);
i32 FileDispatcherImpl_pread0(JavaThread*, Handle, i64, i32, i64);
i64 FileDispatcherImpl_readv0(JavaThread*, Handle, i64, i32);
i32 FileDispatcherImpl_write0(JavaThread*, Handle, i64, i32);
i32 FileDispatcherImpl_pwrite0(JavaThread*, Handle, i64, i32, i64);
i64 FileDispatcherImpl_writev0(JavaThread*, Handle, i64, i32);
i32 FileDispatcherImpl_force0(JavaThread*, Handle, bool);
i64 FileDispatcherImpl_seek0(JavaThread*, Handle, i64);
i32 FileDispatcherImpl_truncate0(JavaThread*, Handle, i64);
i64 FileDispatcherImpl_size0(JavaThread*, Handle);
i32 FileDispatcherImpl_lock0(JavaThread*, Handle, bool, i64, i64, bool);
void FileDispatcherImpl_release0(JavaThread*, Handle, i64, i64);
void FileDispatcherImpl_close0(JavaThread*, Handle);
void FileDispatcherImpl_preClose0(JavaThread*, Handle);
void FileDispatcherImpl_dup0(JavaThread*, Handle, Handle);
void FileDispatcherImpl_closeIntFD(JavaThread*, i32);
bool FileDispatcherImpl_canTransferToFromOverlappedMap0(JavaThread*);
i32 FileDispatcherImpl_setDirect0(JavaThread*, Handle);

// sun.nio.ch.FileChannelImpl
i64 FileChannelImpl_map0(JavaThread*, Handle, i32, i64, i64, bool);
i32 FileChannelImpl_unmap0(JavaThread*, i64, i64);
i64 FileChannelImpl_transferTo0(JavaThread*, Handle, Handle, i64, i64, Handle);
i32 FileChannelImpl_maxDirectTransferSize0(JavaThread*);
i64 FileChannelImpl_initIDs(JavaThread*);

// sun.nio.ch.IOUtil
bool IOUtil_randomBytes(JavaThread*, Handle);
i64 IOUtil_makePipe(JavaThread*, bool);
i32 IOUtil_write1(JavaThread*, i32, i8);
bool IOUtil_drain(JavaThread*, i32);
i32 IOUtil_drain1(JavaThread*, i32);
void IOUtil_configureBlocking(JavaThread*, Handle, bool);
i32 IOUtil_fdVal(JavaThread*, Handle);
void IOUtil_setfdVal(JavaThread*, Handle, i32);
i32 IOUtil_fdLimit(JavaThread*);
i32 IOUtil_iovMax(JavaThread*);

// sun.nio.ch.NativeThread
bool NativeThread_supportPendingSignals0(JavaThread*);
i64 NativeThread_current(JavaThread*);
void NativeThread_signal(JavaThread*, i64);
void NativeThread_init(JavaThread*);

// sun.nio.ch.FileKey
void FileKey_init(JavaThread*, Handle, Handle);

// java.nio.MappedMemoryUtils
bool MappedMemoryUtils_isLoaded0(JavaThread*, i64, i64, i64);
void MappedMemoryUtils_load0(JavaThread*, i64, i64);
void MappedMemoryUtils_unload0(JavaThread*, i64, i64);
void MappedMemoryUtils_force0(JavaThread*, Handle, i64, i64);

// java.util.zip.Inflater
i64 Inflater_init(JavaThread*, bool);
void Inflater_setDictionary(JavaThread*, i64, Handle, i32, i32);
void Inflater_setDictionaryBuffer(JavaThread*, i64, i64, i32);
i64 Inflater_inflateBytesBytes(JavaThread*, Handle, i64, Handle, i32, i32, Handle, i32, i32);
i64 Inflater_inflateBytesBuffer(JavaThread*, Handle, i64, Handle, i32, i32, i64, i32);
i64 Inflater_inflateBufferBytes(JavaThread*, Handle, i64, i64, i32, Handle, i32, i32);
i64 Inflater_inflateBufferBuffer(JavaThread*, Handle, i64, i64, i32, i64, i32);
i32 Inflater_getAdler(JavaThread*, i64);
void Inflater_reset(JavaThread*, i64);
void Inflater_end(JavaThread*, i64);

// java.util.zip.Deflater
i64 Deflater_init(JavaThread*, i32, i32, bool);
void Deflater_setDictionary(JavaThread*, i64, Handle, i32, i32);
void Deflater_setDictionaryBuffer(JavaThread*, i64, i64, i32);
i64 Deflater_deflateBytesBytes(JavaThread*, Handle, i64, Handle, i32, i32, Handle, i32, i32, i32, i32);
i64 Deflater_deflateBytesBuffer(JavaThread*, Handle, i64, Handle, i32, i32, i64, i32, i32, i32);
i64 Deflater_deflateBufferBytes(JavaThread*, Handle, i64, i64, i32, Handle, i32, i32, i32, i32);
i64 Deflater_deflateBufferBuffer(JavaThread*, Handle, i64, i64, i32, i64, i32, i32, i32);
i32 Deflater_getAdler(JavaThread*, i64);
void Deflater_reset(JavaThread*, i64);
void Deflater_end(JavaThread*, i64);

// java.util.zip.CRC32
i32 CRC32_update(JavaThread*, i32, i32);
i32 CRC32_updateBytes0(JavaThread*, i32, Handle, i32, i32);
i32 CRC32_updateByteBuffer0(JavaThread*, i32, i64, i32, i32);

// java.util.zip.Adler32
i32 Adler32_update(JavaThread*, i32, i32);
i32 Adler32_updateBytes(JavaThread*, i32, Handle, i32, i32);
i32 Adler32_updateByteBuffer(JavaThread*, i32, i64, i32, i32);

}  // namespace keyhole::natives
