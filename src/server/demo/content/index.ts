import { arabic } from './arabic.ts'
import { computing } from './computing.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { historyGeography } from './history-geography.ts'
import { islamicEducation } from './islamic-education.ts'
import { mathematics } from './mathematics.ts'
import { other } from './other.ts'
import { philosophy } from './philosophy.ts'
import { physics } from './physics.ts'
import { science } from './science.ts'

/** Everything that the demo shop's documents can be about. */
export const TOPICS = {
  ...mathematics,
  ...physics,
  ...science,
  ...arabic,
  ...french,
  ...english,
  ...historyGeography,
  ...islamicEducation,
  ...computing,
  ...philosophy,
  ...other,
} as const
export type TopicName = keyof typeof TOPICS
