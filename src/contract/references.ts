import { array, assign, enums, type Infer, optional, type } from 'superstruct'
import { defineCall } from './call.ts'
import { Named, SchoolYear } from './names.ts'

const standing = type({
  /** Only where nothing new gets it any more: whether a document that is for sale has it still. */
  retired: optional(enums(['in use', 'unused'])),
})

/** An entry of a list, also one that is retired, so that what has it can be named. */
export const Listed = assign(Named, standing)
export type Listed = Infer<typeof Listed>
export const ListedClass = assign(SchoolYear, standing)
export type ListedClass = Infer<typeof ListedClass>

export const listCategories = defineCall({
  method: 'GET',
  path: '/category',
  caller: 'anyone',
  result: array(Listed),
})
export const listMatieres = defineCall({
  method: 'GET',
  path: '/matieres',
  caller: 'anyone',
  result: array(Listed),
})
export const listSchoolYears = defineCall({
  method: 'GET',
  path: '/niveaux',
  caller: 'anyone',
  result: array(ListedClass),
})
