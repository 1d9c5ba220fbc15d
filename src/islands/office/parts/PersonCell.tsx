import './person-cell.css'
import type { Person } from '../../../contract/office-transfers.ts'
import { Words } from './cells.tsx'

/** A person's name with their phone number or email address. */
export function PersonCell({ person: { name, email, phone } }: { person: Person }) {
  return (
    <span className="person-cell">
      <Words>{name}</Words>
      <bdi className="person-cell__reach soft" dir="ltr">
        {phone ?? email}
      </bdi>
    </span>
  )
}
