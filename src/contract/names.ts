import { enums, type Infer, nullable, optional, string, type } from 'superstruct'
import { LEVELS } from '../rules/price-bands.ts'
import { id } from './values.ts'

/** A category, subject or class. `code` lets the interface translate the name; other backends may lack it. */
export const Named = type({ id: id(), name: string(), code: optional(nullable(string())) })
export type Named = Infer<typeof Named>

export const SchoolYear = type({
  id: id(),
  name: string(),
  code: optional(nullable(string())),
  level: optional(nullable(enums(LEVELS))),
})
export type SchoolYear = Infer<typeof SchoolYear>

export const CoverMapping = type({
  coverPath: nullable(string()),
  livrePath: nullable(string()),
  color: nullable(string()),
})
export type CoverMapping = Infer<typeof CoverMapping>
