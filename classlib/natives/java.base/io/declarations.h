// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of java.io, java.nio, java.util.zip and java.net; names and parameters as in
// classlib/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// java.io.FileDescriptor
void FileDescriptor_sync(JavaThread*, Handle) MAY_SAFEPOINT;
void FileDescriptor_initIDs(JavaThread*);
i64 FileDescriptor_getHandle(JavaThread*, i32);
bool FileDescriptor_getAppend(JavaThread*, i32);
void FileDescriptor_close0(JavaThread*, Handle) MAY_SAFEPOINT;

// java.io.FileCleanable
void FileCleanable_cleanupClose0(JavaThread*, i32, i64) MAY_SAFEPOINT;

// java.io.FileInputStream
void FileInputStream_open0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i32 FileInputStream_read0(JavaThread*, Handle) MAY_SAFEPOINT;
i32 FileInputStream_readBytes(JavaThread*, Handle, Handle, i32, i32) MAY_SAFEPOINT;
i64 FileInputStream_length0(JavaThread*, Handle) MAY_SAFEPOINT;
i64 FileInputStream_position0(JavaThread*, Handle) MAY_SAFEPOINT;
i64 FileInputStream_skip0(JavaThread*, Handle, i64) MAY_SAFEPOINT;
i32 FileInputStream_available0(JavaThread*, Handle) MAY_SAFEPOINT;
bool FileInputStream_isRegularFile0(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;

// java.io.FileOutputStream
void FileOutputStream_open0(JavaThread*, Handle, Handle, bool) MAY_SAFEPOINT;
void FileOutputStream_write(JavaThread*, Handle, i32, bool) MAY_SAFEPOINT;
void FileOutputStream_writeBytes(JavaThread*, Handle, Handle, i32, i32, bool) MAY_SAFEPOINT;

// java.io.RandomAccessFile
void RandomAccessFile_open0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
i32 RandomAccessFile_read0(JavaThread*, Handle) MAY_SAFEPOINT;
i32 RandomAccessFile_readBytes(JavaThread*, Handle, Handle, i32, i32) MAY_SAFEPOINT;
void RandomAccessFile_write0(JavaThread*, Handle, i32) MAY_SAFEPOINT;
void RandomAccessFile_writeBytes(JavaThread*, Handle, Handle, i32, i32) MAY_SAFEPOINT;
i64 RandomAccessFile_getFilePointer(JavaThread*, Handle) MAY_SAFEPOINT;
void RandomAccessFile_seek0(JavaThread*, Handle, i64) MAY_SAFEPOINT;
i64 RandomAccessFile_length(JavaThread*, Handle) MAY_SAFEPOINT;
void RandomAccessFile_setLength(JavaThread*, Handle, i64) MAY_SAFEPOINT;

// java.io.UnixFileSystem
Object* UnixFileSystem_canonicalize0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i32 UnixFileSystem_getBooleanAttributes0(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
bool UnixFileSystem_checkAccess(JavaThread*, Handle, Handle, i32) TOUCHES_OBJECTS;
i64 UnixFileSystem_getLastModifiedTime(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
i64 UnixFileSystem_getLength(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
bool UnixFileSystem_setPermission(JavaThread*, Handle, Handle, i32, bool, bool) TOUCHES_OBJECTS;
bool UnixFileSystem_createFileExclusively(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
bool UnixFileSystem_delete0(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
Object* UnixFileSystem_list(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
bool UnixFileSystem_createDirectory(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
bool UnixFileSystem_rename0(JavaThread*, Handle, Handle, Handle) TOUCHES_OBJECTS;
bool UnixFileSystem_setLastModifiedTime(JavaThread*, Handle, Handle, i64) TOUCHES_OBJECTS;
bool UnixFileSystem_setReadOnly(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;
i64 UnixFileSystem_getSpace(JavaThread*, Handle, Handle, i32) TOUCHES_OBJECTS;
i64 UnixFileSystem_getNameMax0(JavaThread*, Handle, Handle) TOUCHES_OBJECTS;

// java.io.Console
Object* Console_encoding(JavaThread*);
bool Console_echo(JavaThread*, bool) MAY_SAFEPOINT;
bool Console_istty(JavaThread*);
i32 Console_ttyStatus(JavaThread*);

// sun.nio.fs.UnixNativeDispatcher
Object* UnixNativeDispatcher_getcwd(JavaThread*) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_dup(JavaThread*, i32) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_open0(JavaThread*, i64, i32, i32) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_openat0(JavaThread*, i32, i64, i32, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_close0(JavaThread*, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_rewind(JavaThread*, i64);
i32 UnixNativeDispatcher_getlinelen(JavaThread*, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_link0(JavaThread*, i64, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_unlink0(JavaThread*, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_unlinkat0(JavaThread*, i32, i64, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_mknod0(JavaThread*, i64, i32, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_rename0(JavaThread*, i64, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_renameat0(JavaThread*, i32, i64, i32, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_mkdir0(JavaThread*, i64, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_rmdir0(JavaThread*, i64) MAY_SAFEPOINT;
Object* UnixNativeDispatcher_readlink0(JavaThread*, i64) MAY_SAFEPOINT;
Object* UnixNativeDispatcher_realpath0(JavaThread*, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_symlink0(JavaThread*, i64, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_stat0(JavaThread*, i64, Handle) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_stat1(JavaThread*, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_lstat0(JavaThread*, i64, Handle) MAY_SAFEPOINT;
void UnixNativeDispatcher_fstat(JavaThread*, i32, Handle) MAY_SAFEPOINT;
void UnixNativeDispatcher_fstatat0(JavaThread*, i32, i64, i32, Handle) MAY_SAFEPOINT;
void UnixNativeDispatcher_chown0(JavaThread*, i64, i32, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_lchown0(JavaThread*, i64, i32, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_fchown(JavaThread*, i32, i32, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_chmod0(JavaThread*, i64, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_fchmod(JavaThread*, i32, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_utimes0(JavaThread*, i64, i64, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_futimes(JavaThread*, i32, i64, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_futimens(JavaThread*, i32, i64, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_lutimes0(JavaThread*, i64, i64, i64) MAY_SAFEPOINT;
i64 UnixNativeDispatcher_opendir0(JavaThread*, i64) MAY_SAFEPOINT;
i64 UnixNativeDispatcher_fdopendir(JavaThread*, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_closedir(JavaThread*, i64) MAY_SAFEPOINT;
Object* UnixNativeDispatcher_readdir(JavaThread*, i64) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_read(JavaThread*, i32, i64, i32) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_write(JavaThread*, i32, i64, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_access0(JavaThread*, i64, i32) MAY_SAFEPOINT;
bool UnixNativeDispatcher_exists0(JavaThread*, i64) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_access0_21(JavaThread*, i64, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_fchmodat0(JavaThread*, i32, i64, i32, i32) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_stat0_21(JavaThread*, i64, Handle) MAY_SAFEPOINT;
void UnixNativeDispatcher_utimensat0(JavaThread*, i32, i64, i64, i64, i32) MAY_SAFEPOINT;
Object* UnixNativeDispatcher_getpwuid(JavaThread*, i32) MAY_SAFEPOINT;
Object* UnixNativeDispatcher_getgrgid(JavaThread*, i32) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_getpwnam0(JavaThread*, i64) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_getgrnam0(JavaThread*, i64) MAY_SAFEPOINT;
void UnixNativeDispatcher_statvfs0(JavaThread*, i64, Handle) MAY_SAFEPOINT;
Object* UnixNativeDispatcher_strerror(JavaThread*, i32) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_fgetxattr0(JavaThread*, i32, i64, i64, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_fsetxattr0(JavaThread*, i32, i64, i64, i32) MAY_SAFEPOINT;
void UnixNativeDispatcher_fremovexattr0(JavaThread*, i32, i64) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_flistxattr(JavaThread*, i32, i64, i32) MAY_SAFEPOINT;
i32 UnixNativeDispatcher_init(JavaThread*);

// sun.nio.fs.UnixCopyFile
void UnixCopyFile_transfer(JavaThread*, i32, i32, i64) MAY_SAFEPOINT;

// sun.nio.fs.UnixFileSystem
void UnixFileSystem_bufferedCopy0(JavaThread*, i32, i32, i64, i32, i64) MAY_SAFEPOINT;

// sun.nio.fs.LinuxNativeDispatcher
i64 LinuxNativeDispatcher_setmntent0(JavaThread*, i64, i64) MAY_SAFEPOINT;
i32 LinuxNativeDispatcher_getmntent0(JavaThread*, i64, Handle, i64, i32) MAY_SAFEPOINT;
void LinuxNativeDispatcher_endmntent(JavaThread*, i64);
i32 LinuxNativeDispatcher_directCopy0(JavaThread*, i32, i32, i64) MAY_SAFEPOINT;
i32 LinuxNativeDispatcher_posix_fadvise(JavaThread*, i32, i64, i64, i32) MAY_SAFEPOINT;

// sun.nio.fs.LinuxWatchService
i32 LinuxWatchService_eventSize(JavaThread*);
Object* LinuxWatchService_eventOffsets(JavaThread*) MAY_SAFEPOINT;
i32 LinuxWatchService_inotifyInit(JavaThread*) MAY_SAFEPOINT;
i32 LinuxWatchService_inotifyAddWatch(JavaThread*, i32, i64, i32) MAY_SAFEPOINT;
void LinuxWatchService_inotifyRmWatch(JavaThread*, i32, i32) MAY_SAFEPOINT;
void LinuxWatchService_configureBlocking(JavaThread*, i32, bool) MAY_SAFEPOINT;
void LinuxWatchService_socketpair(JavaThread*, Handle) MAY_SAFEPOINT;
i32 LinuxWatchService_poll(JavaThread*, i32, i32) MAY_SAFEPOINT;

// sun.nio.ch.FileDispatcherImpl
i32 FileDispatcherImpl_read0(JavaThread*, Handle, i64, i32) MAY_SAFEPOINT;
i32 FileDispatcherImpl_pread0(JavaThread*, Handle, i64, i32, i64) MAY_SAFEPOINT;
i64 FileDispatcherImpl_readv0(JavaThread*, Handle, i64, i32) MAY_SAFEPOINT;
i32 FileDispatcherImpl_write0(JavaThread*, Handle, i64, i32) MAY_SAFEPOINT;
i32 FileDispatcherImpl_pwrite0(JavaThread*, Handle, i64, i32, i64) MAY_SAFEPOINT;
i64 FileDispatcherImpl_writev0(JavaThread*, Handle, i64, i32) MAY_SAFEPOINT;
i32 FileDispatcherImpl_force0(JavaThread*, Handle, bool) MAY_SAFEPOINT;
i64 FileDispatcherImpl_seek0(JavaThread*, Handle, i64) MAY_SAFEPOINT;
i32 FileDispatcherImpl_truncate0(JavaThread*, Handle, i64) MAY_SAFEPOINT;
i64 FileDispatcherImpl_size0(JavaThread*, Handle) MAY_SAFEPOINT;
i32 FileDispatcherImpl_lock0(JavaThread*, Handle, bool, i64, i64, bool) MAY_SAFEPOINT;
void FileDispatcherImpl_release0(JavaThread*, Handle, i64, i64) MAY_SAFEPOINT;
void FileDispatcherImpl_close0(JavaThread*, Handle) MAY_SAFEPOINT;
void FileDispatcherImpl_preClose0(JavaThread*, Handle) MAY_SAFEPOINT;
void FileDispatcherImpl_dup0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i32 FileDispatcherImpl_available0(JavaThread*, Handle) MAY_SAFEPOINT;
bool FileDispatcherImpl_isOther0(JavaThread*, Handle) MAY_SAFEPOINT;
i64 FileDispatcherImpl_map0(JavaThread*, Handle, i32, i64, i64, bool) MAY_SAFEPOINT;
i64 FileDispatcherImpl_transferFrom0(JavaThread*, Handle, Handle, i64, i64, bool) MAY_SAFEPOINT;
i64 FileDispatcherImpl_transferTo0(JavaThread*, Handle, i64, i64, Handle, bool) MAY_SAFEPOINT;
void FileDispatcherImpl_closeIntFD(JavaThread*, i32) MAY_SAFEPOINT;
bool FileDispatcherImpl_canTransferToFromOverlappedMap0(JavaThread*);
i32 FileDispatcherImpl_setDirect0(JavaThread*, Handle) MAY_SAFEPOINT;

// sun.nio.ch.FileChannelImpl
i64 FileChannelImpl_map0(JavaThread*, Handle, i32, i64, i64, bool) MAY_SAFEPOINT;
i32 FileChannelImpl_unmap0(JavaThread*, i64, i64) MAY_SAFEPOINT;
i64 FileChannelImpl_transferTo0(JavaThread*, Handle, Handle, i64, i64, Handle) MAY_SAFEPOINT;
i32 FileChannelImpl_maxDirectTransferSize0(JavaThread*);
i64 FileChannelImpl_initIDs(JavaThread*);

// sun.nio.ch.IOUtil
bool IOUtil_randomBytes(JavaThread*, Handle) TOUCHES_OBJECTS;
i64 IOUtil_makePipe(JavaThread*, bool) MAY_SAFEPOINT;
i32 IOUtil_write1(JavaThread*, i32, i8) MAY_SAFEPOINT;
bool IOUtil_drain(JavaThread*, i32) MAY_SAFEPOINT;
i32 IOUtil_drain1(JavaThread*, i32) MAY_SAFEPOINT;
void IOUtil_configureBlocking(JavaThread*, Handle, bool) MAY_SAFEPOINT;
i32 IOUtil_fdVal(JavaThread*, Handle) TOUCHES_OBJECTS;
void IOUtil_setfdVal(JavaThread*, Handle, i32) TOUCHES_OBJECTS;
i32 IOUtil_fdLimit(JavaThread*) MAY_SAFEPOINT;
i32 IOUtil_iovMax(JavaThread*);
i64 IOUtil_writevMax(JavaThread*);

// sun.nio.ch.NativeThread
bool NativeThread_supportPendingSignals0(JavaThread*);
i64 NativeThread_current(JavaThread*);
void NativeThread_signal(JavaThread*, i64) MAY_SAFEPOINT;
void NativeThread_init(JavaThread*);

// sun.nio.ch.FileKey
void FileKey_init(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void FileKey_init_25(JavaThread*, Handle, Handle) MAY_SAFEPOINT;

// java.nio.MappedMemoryUtils
bool MappedMemoryUtils_isLoaded0(JavaThread*, i64, i64, i64);
void MappedMemoryUtils_load0(JavaThread*, i64, i64) MAY_SAFEPOINT;
void MappedMemoryUtils_unload0(JavaThread*, i64, i64) MAY_SAFEPOINT;
void MappedMemoryUtils_force0(JavaThread*, Handle, i64, i64) MAY_SAFEPOINT;

// java.util.zip.Inflater
i64 Inflater_init(JavaThread*, bool) MAY_SAFEPOINT;
void Inflater_setDictionary(JavaThread*, i64, Handle, i32, i32) MAY_SAFEPOINT;
void Inflater_setDictionaryBuffer(JavaThread*, i64, i64, i32) MAY_SAFEPOINT;
i64 Inflater_inflateBytesBytes(JavaThread*, Handle, i64, Handle, i32, i32, Handle, i32, i32) MAY_SAFEPOINT;
i64 Inflater_inflateBytesBuffer(JavaThread*, Handle, i64, Handle, i32, i32, i64, i32) MAY_SAFEPOINT;
i64 Inflater_inflateBufferBytes(JavaThread*, Handle, i64, i64, i32, Handle, i32, i32) MAY_SAFEPOINT;
i64 Inflater_inflateBufferBuffer(JavaThread*, Handle, i64, i64, i32, i64, i32) MAY_SAFEPOINT;
i32 Inflater_getAdler(JavaThread*, i64);
void Inflater_reset(JavaThread*, i64) MAY_SAFEPOINT;
void Inflater_end(JavaThread*, i64) MAY_SAFEPOINT;

// java.util.zip.Deflater
i64 Deflater_init(JavaThread*, i32, i32, bool) MAY_SAFEPOINT;
void Deflater_setDictionary(JavaThread*, i64, Handle, i32, i32) MAY_SAFEPOINT;
void Deflater_setDictionaryBuffer(JavaThread*, i64, i64, i32) MAY_SAFEPOINT;
i64 Deflater_deflateBytesBytes(JavaThread*, Handle, i64, Handle, i32, i32, Handle, i32, i32, i32, i32) MAY_SAFEPOINT;
i64 Deflater_deflateBytesBuffer(JavaThread*, Handle, i64, Handle, i32, i32, i64, i32, i32, i32) MAY_SAFEPOINT;
i64 Deflater_deflateBufferBytes(JavaThread*, Handle, i64, i64, i32, Handle, i32, i32, i32, i32) MAY_SAFEPOINT;
i64 Deflater_deflateBufferBuffer(JavaThread*, Handle, i64, i64, i32, i64, i32, i32, i32) MAY_SAFEPOINT;
i32 Deflater_getAdler(JavaThread*, i64);
void Deflater_reset(JavaThread*, i64) MAY_SAFEPOINT;
void Deflater_end(JavaThread*, i64) MAY_SAFEPOINT;

// java.util.zip.CRC32
i32 CRC32_update(JavaThread*, i32, i32);
i32 CRC32_updateBytes0(JavaThread*, i32, Handle, i32, i32) TOUCHES_OBJECTS;
i32 CRC32_updateByteBuffer0(JavaThread*, i32, i64, i32, i32);

// java.util.zip.Adler32
i32 Adler32_update(JavaThread*, i32, i32);
i32 Adler32_updateBytes(JavaThread*, i32, Handle, i32, i32) TOUCHES_OBJECTS;
i32 Adler32_updateByteBuffer(JavaThread*, i32, i64, i32, i32);

// sun.nio.ch.Net
bool Net_isIPv6Available0(JavaThread*);
bool Net_isReusePortAvailable0(JavaThread*);
i32 Net_isExclusiveBindAvailable(JavaThread*);
bool Net_shouldShutdownWriteBeforeClose0(JavaThread*);
bool Net_shouldSetBothIPv4AndIPv6Options0(JavaThread*);
bool Net_canIPv6SocketJoinIPv4Group0(JavaThread*);
bool Net_canJoin6WithIPv4Group0(JavaThread*);
bool Net_canUseIPv6OptionsWithIPv4LocalAddress0(JavaThread*);
i32 Net_socket0(JavaThread*, bool, bool, bool, bool) MAY_SAFEPOINT;
void Net_bind0(JavaThread*, Handle, bool, bool, Handle, i32) MAY_SAFEPOINT;
void Net_listen(JavaThread*, Handle, i32) MAY_SAFEPOINT;
i32 Net_connect0(JavaThread*, bool, Handle, Handle, i32) MAY_SAFEPOINT;
i32 Net_accept(JavaThread*, Handle, Handle, Handle) MAY_SAFEPOINT;
void Net_shutdown(JavaThread*, Handle, i32) MAY_SAFEPOINT;
i32 Net_localPort(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Net_localInetAddress(JavaThread*, Handle) MAY_SAFEPOINT;
i32 Net_remotePort(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Net_remoteInetAddress(JavaThread*, Handle) MAY_SAFEPOINT;
i32 Net_getIntOption0(JavaThread*, Handle, bool, i32, i32) MAY_SAFEPOINT;
void Net_setIntOption0(JavaThread*, Handle, bool, i32, i32, i32, bool) MAY_SAFEPOINT;
i32 Net_poll(JavaThread*, Handle, i32, i64) MAY_SAFEPOINT;
bool Net_pollConnect(JavaThread*, Handle, i64) MAY_SAFEPOINT;
i32 Net_available(JavaThread*, Handle) MAY_SAFEPOINT;
i32 Net_sendOOB(JavaThread*, Handle, i8) MAY_SAFEPOINT;
bool Net_discardOOB(JavaThread*, Handle);
i32 Net_joinOrDrop4(JavaThread*, bool, Handle, i32, i32, i32) MAY_SAFEPOINT;
i32 Net_blockOrUnblock4(JavaThread*, bool, Handle, i32, i32, i32) MAY_SAFEPOINT;
i32 Net_joinOrDrop6(JavaThread*, bool, Handle, Handle, i32, Handle) MAY_SAFEPOINT;
i32 Net_blockOrUnblock6(JavaThread*, bool, Handle, Handle, i32, Handle) MAY_SAFEPOINT;
void Net_setInterface4(JavaThread*, Handle, i32) MAY_SAFEPOINT;
i32 Net_getInterface4(JavaThread*, Handle) MAY_SAFEPOINT;
void Net_setInterface6(JavaThread*, Handle, i32) MAY_SAFEPOINT;
i32 Net_getInterface6(JavaThread*, Handle) MAY_SAFEPOINT;
i16 Net_pollinValue(JavaThread*);
i16 Net_polloutValue(JavaThread*);
i16 Net_pollerrValue(JavaThread*);
i16 Net_pollhupValue(JavaThread*);
i16 Net_pollnvalValue(JavaThread*);
i16 Net_pollconnValue(JavaThread*);

// sun.nio.ch.SocketDispatcher
i32 SocketDispatcher_read0(JavaThread*, Handle, i64, i32) MAY_SAFEPOINT;
i64 SocketDispatcher_readv0(JavaThread*, Handle, i64, i32) MAY_SAFEPOINT;

// sun.nio.ch.DatagramDispatcher
i32 DatagramDispatcher_read0(JavaThread*, Handle, i64, i32) MAY_SAFEPOINT;
i64 DatagramDispatcher_readv0(JavaThread*, Handle, i64, i32) MAY_SAFEPOINT;
i32 DatagramDispatcher_write0(JavaThread*, Handle, i64, i32) MAY_SAFEPOINT;
i64 DatagramDispatcher_writev0(JavaThread*, Handle, i64, i32) MAY_SAFEPOINT;

// sun.nio.ch.DatagramChannelImpl
void DatagramChannelImpl_disconnect0(JavaThread*, Handle, bool) MAY_SAFEPOINT;
i32 DatagramChannelImpl_receive0(JavaThread*, Handle, i64, i32, i64, bool) MAY_SAFEPOINT;
i32 DatagramChannelImpl_send0(JavaThread*, Handle, i64, i32, i64, i32) MAY_SAFEPOINT;

// sun.nio.ch.NativeSocketAddress
i32 NativeSocketAddress_AFINET(JavaThread*);
i32 NativeSocketAddress_AFINET6(JavaThread*);
i32 NativeSocketAddress_sizeofSockAddr4(JavaThread*);
i32 NativeSocketAddress_sizeofSockAddr6(JavaThread*);
i32 NativeSocketAddress_sizeofFamily(JavaThread*);
i32 NativeSocketAddress_offsetFamily(JavaThread*);
i32 NativeSocketAddress_offsetSin4Port(JavaThread*);
i32 NativeSocketAddress_offsetSin4Addr(JavaThread*);
i32 NativeSocketAddress_offsetSin6Port(JavaThread*);
i32 NativeSocketAddress_offsetSin6Addr(JavaThread*);
i32 NativeSocketAddress_offsetSin6ScopeId(JavaThread*);
i32 NativeSocketAddress_offsetSin6FlowInfo(JavaThread*);

// sun.nio.ch.EPoll
i32 EPoll_eventSize(JavaThread*);
i32 EPoll_eventsOffset(JavaThread*);
i32 EPoll_dataOffset(JavaThread*);
i32 EPoll_create(JavaThread*) MAY_SAFEPOINT;
i32 EPoll_ctl(JavaThread*, i32, i32, i32, i32);
i32 EPoll_wait(JavaThread*, i32, i64, i32, i32) MAY_SAFEPOINT;

// sun.nio.ch.EventFD
i32 EventFD_eventfd0(JavaThread*) MAY_SAFEPOINT;
i32 EventFD_set0(JavaThread*, i32) MAY_SAFEPOINT;

// sun.nio.ch.PollSelectorImpl
i32 PollSelectorImpl_poll(JavaThread*, i64, i32, i32) MAY_SAFEPOINT;

// sun.nio.ch.UnixDomainSockets
Object* UnixDomainSockets_localAddress0(JavaThread*, Handle) MAY_SAFEPOINT;
bool UnixDomainSockets_init(JavaThread*);
i32 UnixDomainSockets_socket0(JavaThread*) MAY_SAFEPOINT;
void UnixDomainSockets_bind0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i32 UnixDomainSockets_connect0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i32 UnixDomainSockets_accept0(JavaThread*, Handle, Handle, Handle) MAY_SAFEPOINT;

// sun.nio.ch.InheritedChannel
i32 InheritedChannel_dup(JavaThread*, i32) MAY_SAFEPOINT;
void InheritedChannel_dup2(JavaThread*, i32, i32) MAY_SAFEPOINT;
i32 InheritedChannel_open0(JavaThread*, Handle, i32) MAY_SAFEPOINT;
void InheritedChannel_close0(JavaThread*, i32) MAY_SAFEPOINT;
i32 InheritedChannel_soType0(JavaThread*, i32);
i32 InheritedChannel_addressFamily(JavaThread*, i32);
Object* InheritedChannel_inetPeerAddress0(JavaThread*, i32) MAY_SAFEPOINT;
Object* InheritedChannel_unixPeerAddress0(JavaThread*, i32) MAY_SAFEPOINT;
i32 InheritedChannel_peerPort0(JavaThread*, i32);
bool InheritedChannel_isConnected(JavaThread*, i32);

// java.net.InetAddressImplFactory
bool InetAddressImplFactory_isIPv6Supported(JavaThread*);

// java.net.InetAddress
bool InetAddress_isIPv4Available(JavaThread*);

// java.net.Inet4AddressImpl
Object* Inet4AddressImpl_getLocalHostName(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Inet4AddressImpl_lookupAllHostAddr(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
Object* Inet4AddressImpl_getHostByAddr(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
bool Inet4AddressImpl_isReachable0(JavaThread*, Handle, Handle, i32, Handle, i32) MAY_SAFEPOINT;

// java.net.Inet6AddressImpl
Object* Inet6AddressImpl_getLocalHostName(JavaThread*, Handle) MAY_SAFEPOINT;
Object* Inet6AddressImpl_lookupAllHostAddr(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
Object* Inet6AddressImpl_lookupAllHostAddr_21(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
Object* Inet6AddressImpl_getHostByAddr(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
bool Inet6AddressImpl_isReachable0(JavaThread*, Handle, Handle, i32, i32, Handle, i32, i32) MAY_SAFEPOINT;

// java.net.NetworkInterface
Object* NetworkInterface_getAll(JavaThread*) MAY_SAFEPOINT;
Object* NetworkInterface_getByName0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* NetworkInterface_getByIndex0(JavaThread*, i32) MAY_SAFEPOINT;
bool NetworkInterface_boundInetAddress0(JavaThread*, Handle) MAY_SAFEPOINT;
Object* NetworkInterface_getByInetAddress0(JavaThread*, Handle) MAY_SAFEPOINT;
bool NetworkInterface_isUp0(JavaThread*, Handle, i32) MAY_SAFEPOINT;
bool NetworkInterface_isLoopback0(JavaThread*, Handle, i32) MAY_SAFEPOINT;
bool NetworkInterface_supportsMulticast0(JavaThread*, Handle, i32) MAY_SAFEPOINT;
bool NetworkInterface_isP2P0(JavaThread*, Handle, i32) MAY_SAFEPOINT;
Object* NetworkInterface_getMacAddr0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
i32 NetworkInterface_getMTU0(JavaThread*, Handle, i32) MAY_SAFEPOINT;

// sun.net
Object* ResolverConfigurationImpl_fallbackDomain0(JavaThread*) MAY_SAFEPOINT;
bool DefaultProxySelector_init(JavaThread*);
Object* DefaultProxySelector_getSystemProxies(JavaThread*, Handle, Handle, Handle);
i32 PortConfig_getLower0(JavaThread*);
i32 PortConfig_getUpper0(JavaThread*);

// jdk.net.LinuxSocketOptions
void LinuxSocketOptions_setTcpKeepAliveProbes0(JavaThread*, i32, i32) MAY_SAFEPOINT;
void LinuxSocketOptions_setTcpKeepAliveTime0(JavaThread*, i32, i32) MAY_SAFEPOINT;
void LinuxSocketOptions_setTcpKeepAliveIntvl0(JavaThread*, i32, i32) MAY_SAFEPOINT;
i32 LinuxSocketOptions_getTcpKeepAliveProbes0(JavaThread*, i32) MAY_SAFEPOINT;
i32 LinuxSocketOptions_getTcpKeepAliveTime0(JavaThread*, i32) MAY_SAFEPOINT;
i32 LinuxSocketOptions_getTcpKeepAliveIntvl0(JavaThread*, i32) MAY_SAFEPOINT;
void LinuxSocketOptions_setQuickAck0(JavaThread*, i32, bool) MAY_SAFEPOINT;
bool LinuxSocketOptions_getIpDontFragment0(JavaThread*, i32, bool) MAY_SAFEPOINT;
void LinuxSocketOptions_setIpDontFragment0(JavaThread*, i32, bool, bool) MAY_SAFEPOINT;
bool LinuxSocketOptions_getQuickAck0(JavaThread*, i32) MAY_SAFEPOINT;
i64 LinuxSocketOptions_getSoPeerCred0(JavaThread*, i32) MAY_SAFEPOINT;
bool LinuxSocketOptions_keepAliveOptionsSupported0(JavaThread*);
bool LinuxSocketOptions_quickAckSupported0(JavaThread*);
bool LinuxSocketOptions_incomingNapiIdSupported0(JavaThread*);
i32 LinuxSocketOptions_getIncomingNapiId0(JavaThread*, i32) MAY_SAFEPOINT;

// java.net.PlainDatagramSocketImpl
void PlainDatagramSocketImpl_datagramSocketCreate(JavaThread*, Handle) MAY_SAFEPOINT;
void PlainDatagramSocketImpl_datagramSocketClose(JavaThread*, Handle) MAY_SAFEPOINT;
void PlainDatagramSocketImpl_bind0(JavaThread*, Handle, i32, Handle) MAY_SAFEPOINT;
void PlainDatagramSocketImpl_connect0(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
void PlainDatagramSocketImpl_disconnect0(JavaThread*, Handle, i32) TOUCHES_OBJECTS;
void PlainDatagramSocketImpl_send0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void PlainDatagramSocketImpl_receive0(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i32 PlainDatagramSocketImpl_peekData(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i32 PlainDatagramSocketImpl_peek(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i32 PlainDatagramSocketImpl_dataAvailable(JavaThread*, Handle) TOUCHES_OBJECTS;
void PlainDatagramSocketImpl_setTimeToLive(JavaThread*, Handle, i32) MAY_SAFEPOINT;
i32 PlainDatagramSocketImpl_getTimeToLive(JavaThread*, Handle) MAY_SAFEPOINT;
void PlainDatagramSocketImpl_setTTL(JavaThread*, Handle, i8) MAY_SAFEPOINT;
i8 PlainDatagramSocketImpl_getTTL(JavaThread*, Handle) MAY_SAFEPOINT;
void PlainDatagramSocketImpl_join(JavaThread*, Handle, Handle, Handle) MAY_SAFEPOINT;
void PlainDatagramSocketImpl_leave(JavaThread*, Handle, Handle, Handle) MAY_SAFEPOINT;
void PlainDatagramSocketImpl_socketSetOption0(JavaThread*, Handle, i32, Handle) MAY_SAFEPOINT;
Object* PlainDatagramSocketImpl_socketGetOption(JavaThread*, Handle, i32) MAY_SAFEPOINT;

// java.net.PlainSocketImpl
void PlainSocketImpl_socketCreate(JavaThread*, Handle, bool, bool) MAY_SAFEPOINT;
void PlainSocketImpl_socketConnect(JavaThread*, Handle, Handle, i32, i32) MAY_SAFEPOINT;
void PlainSocketImpl_socketBind(JavaThread*, Handle, Handle, i32) MAY_SAFEPOINT;
void PlainSocketImpl_socketListen(JavaThread*, Handle, i32) MAY_SAFEPOINT;
void PlainSocketImpl_socketAccept(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i32 PlainSocketImpl_socketAvailable(JavaThread*, Handle) MAY_SAFEPOINT;
void PlainSocketImpl_socketClose0(JavaThread*, Handle, bool) MAY_SAFEPOINT;
void PlainSocketImpl_socketShutdown(JavaThread*, Handle, i32) MAY_SAFEPOINT;
void PlainSocketImpl_socketSetOption0(JavaThread*, Handle, i32, bool, Handle) MAY_SAFEPOINT;
i32 PlainSocketImpl_socketGetOption(JavaThread*, Handle, i32, Handle) MAY_SAFEPOINT;
void PlainSocketImpl_socketSendUrgentData(JavaThread*, Handle, i32) MAY_SAFEPOINT;
i32 SocketInputStream_socketRead0(JavaThread*, Handle, Handle, Handle, i32, i32, i32) MAY_SAFEPOINT;
void SocketOutputStream_socketWrite0(JavaThread*, Handle, Handle, Handle, i32, i32) MAY_SAFEPOINT;
void SocketCleanable_cleanupClose0(JavaThread*, i32) MAY_SAFEPOINT;

// sun.nio.ch.UnixAsynchronousSocketChannelImpl
void UnixAsynchronousSocketChannelImpl_checkConnect(JavaThread*, i32) MAY_SAFEPOINT;

// sun.tools.attach.VirtualMachineImpl
void VirtualMachineImpl_checkPermissions(JavaThread*, Handle) MAY_SAFEPOINT;
void VirtualMachineImpl_close(JavaThread*, i32) MAY_SAFEPOINT;
void VirtualMachineImpl_connect(JavaThread*, i32, Handle) MAY_SAFEPOINT;
i32 VirtualMachineImpl_read(JavaThread*, i32, Handle, i32, i32) MAY_SAFEPOINT;
void VirtualMachineImpl_sendQuitTo(JavaThread*, i32) MAY_SAFEPOINT;
i32 VirtualMachineImpl_socket(JavaThread*) MAY_SAFEPOINT;
void VirtualMachineImpl_write(JavaThread*, i32, Handle, i32, i32) MAY_SAFEPOINT;

}  // namespace keyhole::natives
