// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Netty's event loop serves the pages of TomcatRequests.
// maven: io.netty:netty-codec-http:4.1.116.Final
// jvm: -Dio.netty.tryReflectionSetAccessible=false
// iterations: 16
// locks: yes
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetAddress;
import java.net.InetSocketAddress;

public class NettyRequests extends Workload {
    private static final int CLIENTS = 2, REQUESTS = 6000;
    private final NioEventLoopGroup loops = new NioEventLoopGroup(2);
    private final Channel server;

    static final class Pages extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            String page = HttpClients.page(Integer.parseInt(request.uri().substring(1)));
            ByteBuf bytes = ByteBufUtil.writeAscii(context.alloc(), page);
            FullHttpResponse response =
                    new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, bytes);
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain")
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, bytes.readableBytes());
            context.writeAndFlush(response);
        }
    }

    private NettyRequests() throws Exception {
        server = new ServerBootstrap().group(loops).channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(
                                new HttpServerCodec(), new HttpObjectAggregator(1 << 16), new Pages());
                    }
                }).bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
    }

    @Override protected long iteration() throws Exception {
        return HttpClients.ask(((InetSocketAddress) server.localAddress()).getPort(), CLIENTS, REQUESTS);
    }

    @Override protected void close() {
        server.close().syncUninterruptibly();
        loops.shutdownGracefully();
    }

    public static void main(String[] arguments) throws Exception {
        new NettyRequests().run(arguments);
        System.exit(0);
    }
}
