import { useEffect, useState } from 'react'
import { logOnly } from '../../../stores/shared/problem.ts'

type Parts = typeof import('./Exam.tsx')

/** The parts of an exam, once they are wanted and loaded: most readers never sit one. */
export function useExamParts(areWanted: boolean): Parts | null {
  const [parts, setParts] = useState<Parts | null>(null)
  useEffect(() => {
    if (!areWanted || parts) return
    const load = () => void import('./Exam.tsx').then(setParts, logOnly('exam'))
    load()
    // A failed import is not made again by browsers, but the network may come back before it fails.
    addEventListener('online', load)
    return () => removeEventListener('online', load)
  }, [areWanted, parts])
  return parts
}
