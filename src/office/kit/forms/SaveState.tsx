import './save-state.css'
import { Button } from '../../../islands/parts/Button.tsx'
import { Icon } from '../../../islands/parts/Icon.tsx'
import { useTexts } from '../../../islands/parts/island.tsx'
import { useSaid } from '../../../islands/parts/Message.tsx'
import type { Problem } from '../../../stores/shared/problem.ts'
import { useProblemText } from '../use-action.tsx'
import type { SavingState } from './saving.ts'

interface Props {
  state: SavingState
  /** Whether unsaved changes wait for the button, or for the correction of a mistake. */
  isWaiting: boolean
  /** Whether the user has typed nothing yet; then no text is shown. */
  isUntouched?: boolean
  /** What was saved, where a page has several forms; 'Saved' alone without it. */
  saved?: string
  /** Retries to save. */
  onRetry: () => void
}

export function SaveState({ state, isWaiting, isUntouched, saved, onRetry }: Props) {
  const texts = useTexts('office:form')
  if (state.phase === 'failed') return <NotSaved problem={state.problem} onRetry={onRetry} />
  if (isUntouched) return <p className="save-state cluster touch" role="status" />
  return (
    <p className="save-state cluster touch soft" role="status">
      {state.phase === 'saved' ? <Icon name="check" /> : !isWaiting && <span className="spinner" />}
      {isWaiting ? texts.changed : state.phase === 'saved' ? (saved ?? texts.saved) : texts.saving}
    </p>
  )
}

function NotSaved({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  const texts = useTexts('office:form')
  const text = useProblemText()(problem)
  return (
    <p
      ref={useSaid(text)}
      className="save-state save-state--failed cluster touch strong"
      role="alert"
    >
      {texts.notSaved} {text}{' '}
      <Button kind="plain" onClick={onRetry}>
        {texts.retry}
      </Button>
    </p>
  )
}

interface FootProps {
  form: { saveState: Omit<Props, 'saved' | 'onRetry'>; retry: () => void }
  saved?: string
  /** The text of the button. */
  submit: string
}

export function SaveFoot({ form: { saveState, retry }, saved, submit }: FootProps) {
  return (
    <div className="save-foot cluster split gap-5 lines-1">
      <SaveState {...saveState} saved={saved} onRetry={retry} />
      <Button type="submit" kind="primary" isBusy={saveState.state.phase === 'saving'}>
        {submit}
      </Button>
    </div>
  )
}

export function RestoredNotice({ onDiscard }: { onDiscard: () => void }) {
  const texts = useTexts('office:form')
  return (
    <p className="alert save-state__restored cluster" role="status">
      {texts.restored}{' '}
      <Button kind="plain" onClick={onDiscard}>
        {texts.discard}
      </Button>
    </p>
  )
}
