import type { Api } from '../../client/api.ts'
import { type Settled, settled } from '../../components/settled.ts'
import * as catalogue from '../../contract/catalogue.ts'

/** All teachers, those who sell most first. */
export async function readTeachers(api: Api): Promise<Settled<catalogue.Teacher[]>> {
  const read = await settled(api(catalogue.listTeachers, {}))
  if (!read.ok) return read
  return { ok: true, value: read.value.toSorted((a, b) => b.salesCount - a.salesCount) }
}
