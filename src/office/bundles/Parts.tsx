import './parts.css'
import type { SharedBundle } from '../../contract/office-shared-bundles.ts'
import { Money, Words } from '../kit/tables/cells.tsx'

/** The documents of a bundle, each with its teacher and its part of the price. */
export function Parts({ documents }: Pick<SharedBundle, 'documents'>) {
  return (
    <ul className="stack gap-2">
      {documents.map(({ id, title, teacher, share }) => (
        <li key={id}>
          <Words>{title}</Words>
          <span className="bundle-parts__share cluster soft small">
            <bdi>{teacher}</bdi>
            <Money amount={share} />
          </span>
        </li>
      ))}
    </ul>
  )
}

export const titlesOf = ({ documents }: { documents: readonly { title: string }[] }) =>
  documents.map(({ title }) => title).join(' · ')

/** The marks of the states of bundles, of one teacher and of several. */
export const MARKS = {
  selling: 'good',
  asking: 'waiting',
  resting: 'waiting',
  refused: 'bad',
  stopped: 'off',
} as const
