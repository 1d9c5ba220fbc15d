import type { TopicName } from '../content/index.ts'
import type { CategoryCode, MatiereCode, NiveauCode } from '../taxonomy.ts'

/** A document of the demo shop; prices in dinars. */
export interface DemoDocument {
  readonly title: string
  readonly subject: MatiereCode
  readonly niveau: NiveauCode
  readonly category: CategoryCode
  /** The place in `DEMO_TEACHERS`, from 1. */
  readonly teacher: number
  readonly price: number
  readonly discount?: number
  /** What its PDF is about. */
  readonly topics: readonly TopicName[]
  readonly description: string
  readonly forTeachers?: boolean
  readonly isFeatured?: boolean
}
