module twin {
}
