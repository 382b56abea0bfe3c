// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Source of KotlinCompiler.java.
sealed interface Shape
data class Circle(val radius: Double) : Shape
data class Square(val side: Double) : Shape
enum class Level { LOW, HIGH; fun next() = entries[(ordinal + 1) % entries.size] }

inline fun <reified T> List<*>.only(): List<T> = filterIsInstance<T>()
fun Shape.area() = when (this) {
    is Circle -> Math.PI * radius * radius
    is Square -> side * side
}
object Registry { private val all = mutableMapOf<String, Shape>(); operator fun set(name: String, shape: Shape) { all[name] = shape }; fun text() = all.toString() }
class Counter { var count by kotlin.properties.Delegates.observable(0) { _, old, new -> println("$old to $new") } }
fun fibonacci() = sequence { var a = 0; var b = 1; while (true) { yield(a); val next = a + b; a = b; b = next } }
@JvmInline value class Id(val text: String)

fun main(arguments: Array<String>) {
    val shapes = listOf(Circle(1.0), Square(2.0), Circle(0.5))
    println(shapes.only<Circle>().joinToString { "%.3f".format(it.area()) })
    Registry["a"] = shapes[1]
    println(Registry.text())
    Counter().apply { count = 3; count += 4 }
    println(fibonacci().drop(5).take(6).toList())
    println(Level.HIGH.next().name.lowercase() + Id("x") + (arguments.getOrNull(0) ?: "none"))
    val (radius) = shapes[0] as Circle
    println(radius.let { it * 2 }.toString() + runCatching { error("no") }.exceptionOrNull()?.message)
    println(buildString { for (i in 10 downTo 1 step 3) append(i).append(' ') } + shapes.groupBy { it::class.simpleName }.mapValues { it.value.size })
}
