// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Shapes, colours and transformations of java.awt, without a screen.
// jvm: -Djava.awt.headless=true
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.GraphicsEnvironment;
import java.awt.HeadlessException;
import java.awt.Insets;
import java.awt.Point;
import java.awt.Polygon;
import java.awt.Rectangle;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Area;
import java.awt.geom.Ellipse2D;
import java.awt.geom.FlatteningPathIterator;
import java.awt.geom.GeneralPath;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.PathIterator;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.awt.geom.RoundRectangle2D;

public class Shapes {
    static void show(String name, Shape shape, double flatness) {
        StringBuilder text = new StringBuilder();
        double[] c = new double[6];
        int[] arguments = {1, 1, 2, 3, 0};
        for (PathIterator it = flatness > 0 ? new FlatteningPathIterator(shape.getPathIterator(null), flatness)
                                            : shape.getPathIterator(null);
                !it.isDone(); it.next()) {
            int kind = it.currentSegment(c);
            text.append("MLQCZ".charAt(kind));
            for (int i = 0; i < 2 * arguments[kind]; i++) text.append(String.format(" %.3f", c[i]));
            text.append(' ');
        }
        System.out.println(name + " " + shape.getBounds2D() + " " + text);
    }

    public static void main(String[] args) {
        Rectangle a = new Rectangle(1, 2, 30, 40), b = new Rectangle(20, 30, 50, 5);
        System.out.println(a + " " + a.intersection(b) + " " + a.union(b) + " " + a.contains(new Point(5, 5)) + " "
                + a.intersects(b));
        System.out.println(new Point(3, 4).distance(0, 0) + " " + new Dimension(3, 4) + " " + new Insets(1, 2, 3, 4));
        Color color = new Color(200, 100, 50, 128);
        System.out.println(color + " " + color.getAlpha() + " " + color.brighter() + " " + color.darker() + " "
                + Color.decode("#80ff00") + " " + Integer.toHexString(Color.HSBtoRGB(0.3f, 0.5f, 0.7f)));
        for (float each : Color.RGBtoHSB(10, 200, 90, null)) System.out.print(each + " ");
        System.out.println();
        show("ellipse", new Ellipse2D.Double(0, 0, 10, 20), 0.5);
        show("round", new RoundRectangle2D.Float(1, 1, 10, 8, 2, 3), 0);
        Area area = new Area(new Rectangle2D.Double(0, 0, 10, 10));
        area.subtract(new Area(new Ellipse2D.Double(5, 5, 10, 10)));
        area.add(new Area(new Rectangle(-3, 4, 2, 2)));
        show("area", area, 0);
        System.out.println(area.isSingular() + " " + area.contains(1, 1) + " " + area.contains(9, 9));
        Path2D path = new GeneralPath(Path2D.WIND_EVEN_ODD);
        path.moveTo(0, 0);
        path.curveTo(1, 5, 9, 5, 10, 0);
        path.quadTo(5, -3, 0, 0);
        path.closePath();
        show("path", path, 0);
        AffineTransform turn = AffineTransform.getRotateInstance(Math.PI / 6, 5, 5);
        turn.scale(2, 3);
        turn.shear(0.1, 0);
        System.out.println(turn + " " + turn.getType() + " " + turn.getDeterminant());
        show("turned", turn.createTransformedShape(path), 0);
        show("stroked",
                new BasicStroke(3, BasicStroke.CAP_ROUND, BasicStroke.JOIN_BEVEL)
                        .createStrokedShape(new Line2D.Float(0, 0, 10, 5)),
                0.4);
        show("dashed",
                new BasicStroke(1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {2, 3}, 1)
                        .createStrokedShape(a),
                0);
        Polygon polygon = new Polygon(new int[] {0, 10, 5}, new int[] {0, 0, 10}, 3);
        System.out.println(polygon.contains(5, 3) + " " + polygon.getBounds() + " "
                + Line2D.ptSegDist(0, 0, 10, 0, 5, 7) + " " + new Point2D.Float(1, 2));
        System.out.println(GraphicsEnvironment.isHeadless());
        try {
            new java.awt.Frame("none");
        } catch (HeadlessException e) {
            System.out.println(e.getClass());
        }
    }
}
