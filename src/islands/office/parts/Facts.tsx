import './facts.css'
import { Fragment, type ReactNode } from 'react'

interface Props {
  /** Names with their values; falsy entries are left out. */
  facts: readonly (readonly [name: string, value: ReactNode] | false | 0 | '' | null)[]
}

/** A list of facts about one object. */
export function Facts({ facts }: Props) {
  return (
    <dl className="facts">
      {facts.map(
        (fact) =>
          fact && (
            <Fragment key={fact[0]}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}
