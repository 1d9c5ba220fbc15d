import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Conversation } from '../../../contract/office-conversations.ts'
import { fillText } from '../../../i18n/format.ts'
import { close, handBack, take } from '../../../stores/office/conversations/open.ts'
import { $officeSession } from '../../../stores/office/session.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { useProblemText } from '../parts/use-attempt.tsx'
import { useTexts } from './texts.ts'

type Act = 'takeOver' | 'handBack' | 'close'

const CALLS = { takeOver: take, handBack, close } as const

/** Shows who has taken the conversation, with buttons to take it, hand it back or close it. */
export function Hold({ conversation }: { conversation: Conversation }) {
  const texts = useTexts('office-conversations:open')
  const problemText = useProblemText()
  const session = useStore($officeSession)
  const [pendingAct, setPendingAct] = useState<Act | null>(null)
  const [done, setDone] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const { isShared, takenBy, waitingSince } = conversation
  const isMine = takenBy !== null && takenBy.id === session?.userId
  const isOthers = takenBy !== null && !isMine
  const holder = { name: `\u2068${takenBy?.name ?? ''}\u2069` }

  const askFor = (what: Act) => {
    setProblem(null)
    setDone('')
    setPendingAct(what)
  }
  const takeIt = async () => {
    setProblem(null)
    setDone('')
    try {
      await take(conversation)
      setDone(texts.done.take)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }
  const stateText = () => {
    if (!isShared) return texts.own
    if (isMine) return texts.yours
    return isOthers ? fillText(texts.others, holder) : texts.free
  }
  return (
    <div className="inbox__hold">
      <p className="small">{stateText()}</p>
      <div className="cluster">
        {isShared && takenBy === null && (
          <button type="button" className="button" onClick={takeIt}>
            {texts.take}
          </button>
        )}
        {isOthers && (
          <button type="button" className="button" onClick={() => askFor('takeOver')}>
            {texts.takeOver}
          </button>
        )}
        {isMine && (
          <button type="button" className="button" onClick={() => askFor('handBack')}>
            {texts.handBack}
          </button>
        )}
        {waitingSince && !isOthers && (
          <button type="button" className="button" onClick={() => askFor('close')}>
            {texts.close}
          </button>
        )}
      </div>
      {problem && <ErrorAlert text={problemText(problem)} />}
      <p className="visually-hidden" role="status">
        {done}
      </p>
      {pendingAct && (
        <ConfirmDialog
          title={fillText(texts[`${pendingAct}Title`], holder)}
          submit={texts[pendingAct]}
          onConfirm={async () => {
            await CALLS[pendingAct](conversation)
            setDone(texts.done[pendingAct === 'takeOver' ? 'take' : pendingAct])
          }}
          onClose={() => setPendingAct(null)}
        >
          <p>{fillText(texts[`${pendingAct}Text`], holder)}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
