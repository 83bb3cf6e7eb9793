package record

// Chunk is how much an interrupted recording may lose.
const Chunk = chunk
