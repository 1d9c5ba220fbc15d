import '../../parts/field.css'
import { useStore } from '@nanostores/react'
import type { ReactNode, SubmitEvent } from 'react'
import { fillText, isolate, priceText } from '../../i18n/format.ts'
import {
  $cartCode,
  applyCode,
  type CartCode,
  takeCodeAway,
} from '../../stores/purchase/cart-code.ts'
import { $purchase, $total, $totalBefore } from '../../stores/purchase/purchase.ts'
import { Button } from '../parts/Button.tsx'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { Labelled } from '../parts/Field.tsx'
import { useLocale } from '../parts/island.tsx'
import { Message } from '../parts/Message.tsx'
import { useTexts } from './texts.ts'

/** The discount code of the cart, typed or brought by a link; `onTakenAway` takes the focus of its button. */
export function CodeField({ onTakenAway }: { onTakenAway: () => void }) {
  const locale = useLocale()
  const texts = useTexts('checkout:code')
  const state = useStore($cartCode)
  const isPaying = useStore($purchase).phase === 'paying'
  const saved = useStore($totalBefore) - useStore($total)
  const takeAway = (
    <Button
      disabled={isPaying}
      onClick={() => {
        takeCodeAway()
        onTakenAway()
      }}
    >
      {texts.takeAway}
    </Button>
  )
  if (!('quote' in state && state.quote)) return <CodeForm state={state} takeAway={takeAway} />
  const values = { code: isolate(state.code), amount: priceText(locale, saved) }
  return (
    <div aria-busy={state.phase === 'asking'}>
      <Message kind="success">
        <p>{fillText(texts.applied, values)}</p>
        {takeAway}
      </Message>
    </div>
  )
}

/** The field, folded until it is wanted, or until there is something to say. */
function CodeForm({ state, takeAway }: { state: CartCode; takeAway: ReactNode }) {
  const texts = useTexts('checkout:code')
  const errors = useErrorTexts()
  const { phase } = state
  const code = phase === 'none' ? '' : state.code
  const problem = phase === 'refused' ? state.problem : null
  const isKept = phase === 'waiting' || (phase === 'refused' && state.isKept)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget).get('code')
    if (phase !== 'asking') applyCode(String(typed))
  }
  return (
    <details className="code-field" open={phase !== 'none' || undefined}>
      <summary>{texts.open}</summary>
      <form className="stack" onSubmit={submit} noValidate>
        <Labelled
          label={texts.label}
          control={(attributes) => (
            <input
              {...attributes}
              name="code"
              defaultValue={code}
              dir="ltr"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              aria-invalid={problem ? true : undefined}
              aria-describedby={problem ? PROBLEM : undefined}
            />
          )}
        />
        {problem && <Message kind="line" id={PROBLEM} text={problemText(problem, errors)} />}
        {phase === 'waiting' && (
          <Message kind="note" text={fillText(texts.waiting, { code: isolate(code) })} />
        )}
        <p className="cluster">
          <Button type="submit" isBusy={phase === 'asking'}>
            {phase === 'asking' ? texts.asking : problem && isKept ? texts.again : texts.apply}
          </Button>
          {isKept && takeAway}
        </p>
      </form>
    </details>
  )
}

const PROBLEM = 'code-problem'
