import '../parts/choices.css'
import type { Provider } from '../../contract/orders.ts'
import { chooseTopUpMethod, type TopUpMethod } from '../../stores/wallet/top-up.ts'
import { useMethodName, useTexts } from './texts.ts'

interface Props {
  provider: Provider
  methods: readonly TopUpMethod[]
  chosen: TopUpMethod
}

/**
 * The choice of how to pay a top-up: through the online gateway or by D17, as the shop has them.
 */
export function MethodChoice({ provider, methods, chosen }: Props) {
  const texts = useTexts('charging:page').method
  const nameOf = useMethodName(provider)
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
              <bdi>{nameOf(each)}</bdi>
            </strong>
            <br />
            {texts[`${each}Note`]}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
