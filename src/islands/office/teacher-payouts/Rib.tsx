import { useState } from 'react'
import { readableRib } from '../../../rules/rib.ts'
import { Reference, Words } from '../parts/cells.tsx'
import { useTexts } from './texts.ts'

/** A bank account with its holder, and a button that copies its number. */
export function Rib({ holder, rib }: { holder: string; rib: string }) {
  const texts = useTexts('office-money:payouts')
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(rib)
      setCopied(true)
    } catch {
      // The browser forbids copying, but the user can still select the number.
    }
  }
  return (
    <span className="payout-account">
      <Words>{holder}</Words>
      <Reference>{readableRib(rib)}</Reference>
      <button type="button" className="button" onClick={copy}>
        <span role="status">{isCopied ? texts.copied : texts.copy}</span>
      </button>
    </span>
  )
}
