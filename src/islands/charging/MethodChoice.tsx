import { useStore } from '@nanostores/react'
import { $topUpMethod, chooseTopUpMethod, TOP_UP_METHODS } from '../../stores/top-up.ts'
import type { ChargingTexts } from './texts.ts'

interface Props {
  texts: ChargingTexts['method']
}

const gateway = () => 'gateway' as const

/** The online gateway, or D17. */
export function MethodChoice({ texts }: Props) {
  const method = useStore($topUpMethod, { ssr: gateway })
  return (
    <fieldset className="stack">
      <legend>{texts.title}</legend>
      {TOP_UP_METHODS.map((each) => (
        <label className="choice-card" key={each}>
          <input
            type="radio"
            name="method"
            value={each}
            checked={method === each}
            onChange={() => chooseTopUpMethod(each)}
          />
          <span>
            <strong>
              <bdi>{texts[each]}</bdi>
            </strong>
            <br />
            {texts[`${each}Note`]}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
