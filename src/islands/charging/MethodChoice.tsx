import '../parts/choices.css'
import { chooseTopUpMethod, type TopUpMethod } from '../../stores/wallet/top-up.ts'
import type { ChargingTexts } from './texts.ts'

interface Props {
  methods: readonly TopUpMethod[]
  chosen: TopUpMethod
  texts: ChargingTexts['method']
}

/** The online gateway where the shop has one, or D17. */
export function MethodChoice({ methods, chosen, texts }: Props) {
  return (
    <fieldset className="stack">
      <legend>{texts.title}</legend>
      {methods.map((each) => (
        <label className="choice-card" key={each}>
          <input
            type="radio"
            name="method"
            value={each}
            checked={chosen === each}
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
