import type { Api } from '../../client/api.ts'
import * as catalogue from '../../contract/catalogue.ts'
import { isNotFound } from './is-not-found.ts'
import { settled } from './settled.ts'

/** The home page always shows these three teachers. */
const TEACHERS_SHOWN = [1, 2, 3]

/** One of the three; null if no such teacher exists. */
async function readTeacher(api: Api, id: number): Promise<catalogue.Teacher | null> {
  try {
    return await api(catalogue.getTeacher, { params: { id } })
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

async function readTeachers(api: Api): Promise<catalogue.Teacher[]> {
  const teachers = await Promise.all(TEACHERS_SHOWN.map((id) => readTeacher(api, id)))
  return teachers.filter((teacher) => teacher !== null)
}

/**
 * The sections of the home page, each read on its own, so that a failure hides only its section.
 */
export async function readHome(api: Api) {
  const [featured, bestsellers, teachersBooks, teachers] = await Promise.all([
    settled(api(catalogue.listFeatured, {})),
    settled(api(catalogue.listTopSelling, {})),
    settled(api(catalogue.listByFeaturedAuthors, {})),
    settled(readTeachers(api)),
  ])
  const complete = [featured, bestsellers, teachersBooks, teachers].every((part) => part !== null)
  return { featured, bestsellers, teachersBooks, teachers, complete }
}
