export { keepAllSums } from './day-sums.ts'
export { readRankings } from './rankings.ts'
export { readFigures } from './read-figures.ts'
export { openVisitCounts } from './visits.ts'
