// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Finds the loops of flow graphs: depth-first numbers, sets that are joined, lists of blocks.
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class LoopFinder extends Kernel {
    static final class Block {
        final int name;
        final List<Block> in = new ArrayList<>(), out = new ArrayList<>();
        Block(int name) { this.name = name; }
    }
    static final class Found {
        final Block block;
        Found parent = this;
        int number, last, depth;
        Found(Block block) { this.block = block; }
        Found root() {
            Found at = this;
            while (at.parent != at) {
                at.parent = at.parent.parent;
                at = at.parent;
            }
            return at;
        }
    }
    private static void connect(Block from, Block to) {
        from.out.add(to);
        to.in.add(from);
    }
    private static List<Block> graph(int loops) {
        List<Block> blocks = new ArrayList<>();
        Block last = new Block(0);
        blocks.add(last);
        for (int i = 0; i < loops; i++) {
            Block head = new Block(blocks.size()), body = new Block(head.name + 1), end = new Block(head.name + 2);
            blocks.add(head);
            blocks.add(body);
            blocks.add(end);
            connect(last, head);
            connect(head, body);
            connect(body, body);
            connect(body, end);
            connect(end, head);
            last = end;
        }
        return blocks;
    }
    private static int number(Block block, Map<Block, Found> found, List<Found> order) {
        Found node = new Found(block);
        node.number = order.size();
        found.put(block, node);
        order.add(node);
        int last = node.number;
        for (Block next : block.out) if (!found.containsKey(next)) last = number(next, found, order);
        node.last = last;
        return last;
    }
    private static int loops(List<Block> blocks) {
        Map<Block, Found> found = new HashMap<>();
        List<Found> order = new ArrayList<>();
        number(blocks.get(0), found, order);
        int count = 0;
        for (int i = order.size() - 1; i >= 0; i--) {
            Found header = order.get(i);
            List<Found> work = new ArrayList<>();
            boolean isSelf = false;
            for (Block before : header.block.in) {
                Found from = found.get(before);
                if (from == null || from.number < header.number || from.number > header.last) continue;
                if (from == header) isSelf = true;
                else work.add(from.root());
            }
            if (isSelf) count++;
            if (work.isEmpty()) continue;
            count++;
            while (!work.isEmpty()) {
                Found at = work.remove(work.size() - 1);
                if (at == header || at.root() == header) continue;
                at.parent = header;
                at.depth++;
                for (Block before : at.block.in) {
                    Found from = found.get(before).root();
                    if (from != header && from.number > header.number && from.number <= header.last) work.add(from);
                }
            }
        }
        return count;
    }
    protected long work() {
        long sum = 0;
        for (int round = 0; round < 12; round++) sum = sum * 31 + loops(graph(100 + round));
        return sum;
    }
    public static void main(String[] arguments) { new LoopFinder().measure(arguments); }
}
