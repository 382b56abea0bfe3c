// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Source of ScalaCompiler.java.
enum Tree[+T]:
  case Leaf(value: T)
  case Node(left: Tree[T], right: Tree[T])

  def fold[R](leaf: T => R)(node: (R, R) => R): R = this match
    case Leaf(value) => leaf(value)
    case Node(left, right) => node(left.fold(leaf)(node), right.fold(leaf)(node))

trait Show[A]:
  extension (a: A) def show: String
given Show[Int] with
  extension (a: Int) def show = s"<$a>"
given [A](using Show[A]): Show[List[A]] with
  extension (list: List[A]) def show = list.map(_.show).mkString("[", ",", "]")

opaque type Metres = Double
object Metres:
  def apply(value: Double): Metres = value
  extension (metres: Metres) def text = f"$metres%.1f m"

inline def power(x: Double, inline n: Int): Double = inline if n == 0 then 1.0 else x * power(x, n - 1)
case class Person(name: String, age: Int)

@main def tour(arguments: String*): Unit =
  val tree = Tree.Node(Tree.Leaf(1), Tree.Node(Tree.Leaf(2), Tree.Leaf(39)))
  println(tree.fold(identity)(_ + _))
  println(List(1, 2, 3).show)
  println(Metres(3.14159).text + " " + power(2, 10))
  val people = for (name, age) <- List("a" -> 3, "b" -> 40) if age > 5 yield Person(name, age)
  println(people.map(_.copy(age = 41)))
  lazy val squares: LazyList[Int] = LazyList.from(1).map(n => n * n)
  println(squares.takeWhile(_ < 50).toVector.reverse)
  val text = arguments match
    case Seq() => "none"
    case Seq(one, rest*) => one + rest.size
  println(text + (try Left(1 / 0) catch case e: ArithmeticException => Right(e.getMessage)))
