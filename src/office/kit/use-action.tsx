import { useCallback, useRef, useState } from 'react'
import { fillText, isolate } from '../../i18n/format.ts'
import { problemText, useErrorTexts } from '../../islands/parts/error-texts.ts'
import { useLocale, useTextsIfGiven } from '../../islands/parts/island.tsx'
import { ErrorAlert, useSaid } from '../../islands/parts/Message.tsx'
import { type Problem, problemOf } from '../../stores/shared/problem.ts'
import { momentText } from './dates.ts'
import { useActorName } from './office-texts.ts'

const NO_WIDTH = '\u200b'

/**
 * Makes calls, one at a time, and shows what became of the last: its `alert` is the problem, its
 * `message` also what was done. Both come into view and are announced, repeated ones too.
 */
export function useAction() {
  const problemText = useProblemText()
  const isUnderWay = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [said, setSaid] = useState('')

  // Screen readers announce only texts that change: a repeated one ends in a mark without width.
  const say = useCallback((text: string) => {
    setProblem(null)
    setSaid((last) => (text && text === last ? text + NO_WIDTH : text))
  }, [])
  /**
   * Does `work`, and says the sentence that it resolves to, if any. If it throws, `onProblem` is
   * finished before the problem is shown. Ignores what is asked for while work is under way.
   */
  const attempt = async (
    work: () => Promise<unknown>,
    onProblem?: (problem: Problem) => unknown,
  ): Promise<void> => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBusy(true)
    say('')
    try {
      const done = await work()
      if (typeof done === 'string') say(done)
    } catch (error) {
      const found = problemOf(error)
      await onProblem?.(found)
      setProblem(found)
    } finally {
      isUnderWay.current = false
      setBusy(false)
    }
  }
  const alert = problem && <ErrorAlert text={problemText(problem)} />
  const message = (
    <>
      {alert}
      <Said text={said} />
    </>
  )
  return { isBusy, problem, said, alert, message, attempt, say }
}

/**
 * Runs a search; one that is asked for while another is under way, such as the first list, comes after it, and of
 * several the latest alone.
 */
export function useLatest<Wanted>(
  attempt: (work: () => Promise<unknown>) => Promise<void>,
  find: (wanted: Wanted) => Promise<unknown>,
): (wanted: Wanted) => Promise<void> {
  const next = useRef<{ wanted: Wanted }>(undefined)
  return (wanted) => {
    next.current = { wanted }
    return attempt(async () => {
      while (next.current) {
        const { wanted: now } = next.current
        next.current = undefined
        await find(now)
      }
    })
  }
}

/** A message of success, in a region that is there before it; invisible if `text` is ''. */
function Said({ text }: { text: string }) {
  const said = useSaid<HTMLParagraphElement>(text)
  return (
    <p ref={said} className={text ? 'alert alert--success' : 'visually-hidden'} role="status">
      {text}
    </p>
  )
}

/** Returns a function that words a problem, with the office's own errors if the island has them. */
export function useProblemText(): (problem: Pick<Problem, 'code' | 'message' | 'done'>) => string {
  // The conversations page brings its own error texts, which only its island includes.
  const errors = { ...useErrorTexts(), ...useTextsIfGiven('office-conversations:errors') }
  const locale = useLocale()
  const actorName = useActorName()
  return (problem) => {
    const text = problemText(problem, errors)
    const { done } = problem
    if (!done) return text
    return fillText(text, {
      by: isolate(actorName(done.by)),
      at: momentText(locale, done.at),
    })
  }
}
