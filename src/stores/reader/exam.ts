import { computed } from 'nanostores'
import { readerId } from '../offline/kept.ts'
import { $session } from '../session/session.ts'
import { logOnly } from '../shared/problem.ts'
import { $examsOfAll, examsOf } from '../user-data/exams.ts'
import { $reader } from './reader.ts'

/** The exam that the reader's user sits, or marks, with the open document. */
export const $exam = computed([$reader, $session, $examsOfAll], (reader) => {
  if (reader.phase !== 'shown') return null
  const { exam } = examsOf(readerId())
  const { documentId, sample } = reader.reading
  // One of the sample is not that of the paper, which may have been bought since.
  const isOfIt = exam?.documentId === documentId && Boolean(exam.isSample) === Boolean(sample)
  return isOfIt ? exam : null
})

/** Sends marks that were given without a network, now and when it comes back; returns a stop function. */
export function followUnsentMarks(): () => void {
  const send = () => {
    if (examsOf(readerId()).unsent.length === 0) return
    import('../library/marks.ts')
      .then(({ sendMarks }) => sendMarks())
      .catch(logOnly('sending marks'))
  }
  send()
  addEventListener('online', send)
  return () => removeEventListener('online', send)
}
