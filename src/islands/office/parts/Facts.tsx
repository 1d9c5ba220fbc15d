import './facts.css'
import { Fragment, type ReactNode } from 'react'

interface Props {
  /** Names with what they say; what does not hold is left out. */
  facts: readonly (readonly [name: string, value: ReactNode] | false | 0 | '' | null)[]
}

/** What is known of one thing. */
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
