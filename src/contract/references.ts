import { array } from 'superstruct'
import { defineCall } from './call.ts'
import { Named, SchoolYear } from './names.ts'

export const listCategories = defineCall({
  method: 'GET',
  path: '/category',
  caller: 'anyone',
  result: array(Named),
})
export const listMatieres = defineCall({
  method: 'GET',
  path: '/matieres',
  caller: 'anyone',
  result: array(Named),
})
export const listSchoolYears = defineCall({
  method: 'GET',
  path: '/niveaux',
  caller: 'anyone',
  result: array(SchoolYear),
})
