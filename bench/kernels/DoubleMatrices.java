// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
// Matrices as objects with one array of doubles each: products, transposes, elimination.
public class DoubleMatrices extends Kernel {
    static final class DoubleMatrix {
        private final int rows, columns;
        private final double[] values;
        DoubleMatrix(int rows, int columns) {
            this.rows = rows;
            this.columns = columns;
            values = new double[rows * columns];
        }
        double get(int row, int column) { return values[row * columns + column]; }
        void set(int row, int column, double value) { values[row * columns + column] = value; }
        DoubleMatrix times(DoubleMatrix other) {
            DoubleMatrix product = new DoubleMatrix(rows, other.columns);
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < other.columns; j++) {
                    double sum = 0;
                    for (int k = 0; k < columns; k++) sum += get(i, k) * other.get(k, j);
                    product.set(i, j, sum);
                }
            return product;
        }
        DoubleMatrix transposed() {
            DoubleMatrix other = new DoubleMatrix(columns, rows);
            for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) other.set(j, i, get(i, j));
            return other;
        }
        double determinant() {
            double product = 1;
            for (int i = 0; i < rows; i++) {
                double pivot = get(i, i);
                product *= pivot;
                for (int k = i + 1; k < rows; k++) {
                    double factor = get(k, i) / pivot;
                    for (int j = i; j < columns; j++) set(k, j, get(k, j) - factor * get(i, j));
                }
            }
            return product;
        }
    }
    protected long work() {
        int n = 50;
        DoubleMatrix a = new DoubleMatrix(n, n);
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a.set(i, j, i == j ? 3 : 1.0 / (1 + i + 2 * j));
        long sum = 0;
        for (int round = 0; round < 3; round++) {
            DoubleMatrix b = a.transposed().times(a);
            sum = sum * 31 + Double.doubleToLongBits(b.get(n / 2, n / 3)) + Double.doubleToLongBits(b.determinant());
        }
        return sum;
    }
    public static void main(String[] arguments) { new DoubleMatrices().measure(arguments); }
}
