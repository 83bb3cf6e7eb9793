package record

// Chunk is the number of requests that an interrupted recording may lose.
const Chunk = chunk

const MaxProbes = maxProbes
