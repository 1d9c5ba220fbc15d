import type { Reading } from '../../contract/reading.ts'
import { readExercisePoints } from '../../rules/exam.ts'
import { samplePictures } from '../../rules/reading.ts'
import { canSitSample, correctionAfter } from '../../rules/sample-exam.ts'
import { ask } from '../shared/backend.ts'
import { Refusal } from '../shared/problem.ts'

/** A sample's addresses do not expire. */
const NEVER = new Date(8.64e15).toISOString()

/**
 * The sample of a paper in the form in which the reader shows a document, and its pages. Throws
 * `not_permitted` where no exam can be sat with it: then the paper has to be bought.
 */
export async function openSample(documentId: number) {
  const params = { id: documentId }
  const [document, { key, pages, direction }] = await Promise.all([
    ask(({ catalogue }) => catalogue.getDocument, { params }),
    ask(({ reading }) => reading.getSample, { params }),
  ])
  if (key === null || !canSitSample(document, pages)) throw new Refusal('not_permitted', 403)
  const { matiere, minutes = null, exercisePoints } = document
  const reading: Reading & { sample: ReturnType<typeof correctionAfter> } = {
    documentId,
    title: document.title,
    version: 0,
    sizes: pages.map(({ width, height }) => ({ width, height })),
    pages: samplePictures({ documentId, key }),
    expiresAt: NEVER,
    direction,
    outline: [],
    place: null,
    hasText: true,
    paper: {
      minutes,
      correctionPage: null,
      exercisePoints: readExercisePoints(exercisePoints ?? ''),
      matiereId: matiere.id,
      matiereName: matiere.name,
      matiereCode: matiere.code ?? null,
      matiereNames: matiere.names ?? null,
    },
    sample: correctionAfter(document),
  }
  return { reading, pages }
}
