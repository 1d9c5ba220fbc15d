import type { Api } from '../../client/api.ts'
import * as catalogue from '../../contract/catalogue.ts'
import { settled } from './settled.ts'

/** All teachers, best-selling first; null if they could not be read. */
export async function readTeachers(api: Api): Promise<catalogue.Teacher[] | null> {
  const read = await settled(api(catalogue.listTeachers, {}))
  return read?.toSorted((a, b) => b.salesCount - a.salesCount) ?? null
}
