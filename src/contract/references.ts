import { array, assign, enums, type Infer, optional, type } from 'superstruct'
import { defineCall } from './call.ts'
import { Named, SchoolClass } from './names.ts'

const standing = type({
  /**
   * Only if the entry is no longer offered for new documents: whether a document for sale still has
   * it.
   */
  retired: optional(enums(['in use', 'unused'])),
})

/**
 * An entry of a list, including retired ones, so that documents that have them can be described.
 */
export const Listed = assign(Named, standing)
export type Listed = Infer<typeof Listed>
export const ListedClass = assign(SchoolClass, standing)
export type ListedClass = Infer<typeof ListedClass>

export const listCategories = defineCall('GET /category', 'anyone', { result: array(Listed) })
export const listMatieres = defineCall('GET /matieres', 'anyone', { result: array(Listed) })
export const listClasses = defineCall('GET /niveaux', 'anyone', { result: array(ListedClass) })
