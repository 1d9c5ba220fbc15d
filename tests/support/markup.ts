import { HtmlValidate, StaticConfigLoader } from 'html-validate'

// Only violations of the standard, not of style.
const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:standard'],
    // Astro writes a `<style>` before the first island of a page, in its body; all browsers apply it.
    elements: ['html5', { style: { flow: true, phrasing: true } }],
  }),
)

/** The errors in a page's HTML as it is sent. */
export async function markupFaults(html = ''): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  )
}
