// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// k-means over points in five dimensions, by the collections of Scala: vectors, maps, views, boxed numbers.
// maven: org.scala-lang:scala3-compiler_3:3.3.4
// iterations: 20
import scala.util.Random

class KMeans extends Workload {
  type Point = Vector[Double]
  private val dimensions = 5
  private val clusters = 12
  private val random = new Random(7)
  private val points: Vector[Point] = {
    val middles = Vector.fill(clusters)(Vector.fill(dimensions)(random.nextInt(1000).toDouble))
    Vector.tabulate(2500)(i => middles(i % clusters).map(_ + random.nextInt(200) - 100))
  }

  private def distance(a: Point, b: Point): Double = a.lazyZip(b).map((x, y) => (x - y) * (x - y)).sum
  private def closest(point: Point, means: Seq[Point]): Int = means.indices.minBy(i => distance(point, means(i)))
  private def mean(some: Seq[Point]): Point =
    some.reduce((a, b) => a.zip(b).map { case (x, y) => x + y }).map(_ / some.size)

  private def improved(means: Seq[Point]): Seq[Point] = {
    val groups = points.groupBy(closest(_, means))
    means.indices.map(i => groups.get(i).map(mean).getOrElse(means(i)))
  }

  override protected def iteration(): Long = {
    val steps = Iterator.iterate[Seq[Point]](points.take(clusters))(improved)
    val means = steps.drop(8).next()
    means.flatten.foldLeft(0L)((digest, x) => Workload.mixed(digest, java.lang.Double.doubleToLongBits(x)))
  }
}

object KMeans {
  def main(arguments: Array[String]): Unit = (new KMeans).run(arguments)
}
