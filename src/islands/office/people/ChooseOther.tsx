import { useStore } from '@nanostores/react'
import { type SubmitEvent, useId } from 'react'
import { labelled } from '../../../i18n/listed.ts'
import { $found, findOther } from '../../../stores/office/people.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { Words } from '../parts/cells.tsx'
import { StateOfPerson } from './StateOfPerson.tsx'

const OUTLINES = ['button', 'button'] as const

/** Searches for the account to merge into the account `intoId`. */
export function ChooseOther({
  intoId,
  onChoose,
}: {
  intoId: number
  onChoose: (id: number) => void
}) {
  const locale = useLocale()
  const texts = useTexts('office-people:merge')
  const found = useStore($found, { ssr: notLoaded })
  const id = useId()
  const search = (form: HTMLFormElement | null) => {
    const q = String(new FormData(form ?? undefined).get('q') ?? '').trim()
    if (q !== '') void findOther(q, intoId)
  }
  return (
    <>
      <search>
        <form
          id={id}
          className="merge__search"
          onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
            event.preventDefault()
            search(event.currentTarget)
          }}
        >
          <div className="field">
            <label htmlFor={`${id}-q`}>{texts.search}</label>
            <input id={`${id}-q`} name="q" type="search" dir="auto" autoComplete="off" />
          </div>
          <button type="submit" className="button button--primary">
            {texts.find}
          </button>
        </form>
      </search>
      {found.phase !== 'idle' && (
        <LoadState
          state={found}
          loading={{ text: texts.loading, shapes: OUTLINES }}
          failed={texts.failed}
          onRetry={() => search(document.querySelector(`form[id="${id}"]`))}
        >
          {(people) =>
            people.length === 0 ? (
              <p role="status">{texts.nobody}</p>
            ) : (
              <ul className="person__list">
                {people.map((person) => (
                  <li key={person.id}>
                    <span className="person__what">
                      <Words>{person.name}</Words>{' '}
                      <bdi dir="ltr" className="soft">
                        {person.email}
                      </bdi>
                    </span>
                    <StateOfPerson state={person.state} />
                    <button
                      type="button"
                      className="button"
                      aria-label={labelled(locale, texts.choose, person.name)}
                      onClick={() => onChoose(person.id)}
                    >
                      {texts.choose}
                    </button>
                  </li>
                ))}
              </ul>
            )
          }
        </LoadState>
      )}
    </>
  )
}
