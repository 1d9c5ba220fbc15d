import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { uploadLogo } from '../../../src/contract/office-facts.ts'
import { LOGO_BOX, LOGO_MAX_BYTES, logoAddress, readLogoName } from '../../../src/rules/brand.ts'
import { redrawnSvg } from '../../../src/server/site-texts/svg.ts'
import { expectRefused, refused } from '../../support/refusals.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()
const admin = await app.anOfficeAdministrator()

const NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"'
const PLAIN = `<svg ${NAMESPACE} viewBox="0 0 64 32"><g fill="#246"><path d="M0 0h32v32z"/></g><circle cx="48" cy="16" r="12" fill="rgb(200, 40, 80)"/></svg>`
/** As Inkscape saves a drawing. */
const INKSCAPE = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape -->
<svg width="64px" height="32px" viewBox="0 0 64 32" version="1.1" id="svg5" inkscape:version="1.3" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" ${NAMESPACE}>
  <title>My shop</title>
  <sodipodi:namedview id="namedview7" pagecolor="#ffffff" xmlns:sodipodi="http://sodipodi"><inkscape:grid type="xy"/></sodipodi:namedview>
  <metadata><rdf:RDF xmlns:rdf="http://rdf"><cc:Work rdf:about="">by me</cc:Work></rdf:RDF></metadata>
  <defs id="defs2"/>
  <g inkscape:label="Layer 1" id="layer1" transform="translate(2,-1) rotate(3)">
    <path style="fill:#1b2440;stroke:none;stroke-width:0.26px;-inkscape-stroke:none" d="m 1,2 c 3,4 5,6 7,8 z" id="path1"><title>a leaf</title></path>
    <rect x="3" y="4" width="10" height="6" ry="1.5" style="opacity:1;fill:#d6455d;fill-rule:evenodd"/>
  </g>
</svg>`
/** As Illustrator does, with a type that declares nothing. */
const ILLUSTRATOR = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Layer_1" ${NAMESPACE} x="0px" y="0px" viewBox="0 0 200 80" xml:space="preserve">
<polygon fill="#F7941D" points="10,10 60,10 35,60 "/><polyline points="1,2 3,4"/><ellipse cx="5" cy="5" rx="4" ry="2"/><line x1="0" y1="0" x2="9" y2="9" stroke="black"/>
</svg>`

const inside = (content: string) => `<svg ${NAMESPACE} viewBox="0 0 10 10">${content}</svg>`

describe('a drawing', () => {
  test.each([
    ['of plain shapes', PLAIN, 64],
    ['of Inkscape', INKSCAPE, 64],
    ['of Illustrator', ILLUSTRATOR, 200],
  ])('%s is drawn anew', (_, text, width) => {
    const drawn = redrawnSvg(text)
    if (typeof drawn === 'string') throw new Error(drawn)
    expect(drawn.width).toBe(width)
    // Nothing is left of what draws nothing.
    expect(drawn.svg).not.toMatch(/inkscape|rdf|metadata|title|style|id=|DOCTYPE|<!--|<\?/)
    // A redrawn logo stays as it is.
    expect(redrawnSvg(drawn.svg)).toEqual(drawn)
  })

  test('keeps what a style says of its shapes', () => {
    expect(redrawnSvg(INKSCAPE)).toMatchObject({
      svg: expect.stringContaining(
        '<g transform="translate(2,-1) rotate(3)"><path d="m 1,2 c 3,4 5,6 7,8 z" fill="#1b2440" stroke="none" stroke-width="0.26px"/><rect ',
      ),
    })
  })

  test.each([
    ['a script', inside('<script>alert(1)</script>')],
    ['a script by another name', inside('<g><svg:script xmlns:svg="x">1</svg:script></g>x')],
    ['a handler', inside('<path d="M0 0h1" onload="alert(1)"/>')],
    ['a handler of the root', PLAIN.replace('<svg ', '<svg onload="alert(1)" ')],
    ['a link', inside('<a href="javascript:alert(1)"><path d="M0 0h1"/></a>')],
    ['another file', inside('<use href="https://evil.example/a.svg#b"/>')],
    ['a picture', inside('<image href="data:image/png;base64,AAAA"/>')],
    ['a page', inside('<foreignObject><p>x</p></foreignObject>')],
    ['a style sheet', inside('<style>@import "https://evil.example"</style>')],
    ['a style that loads', inside('<path style="fill:url(https://evil.example)" d="M0 0"/>')],
    ['a paint that loads', inside('<path fill="url(#a)" d="M0 0"/>')],
    ['a filter', inside('<path filter="url(#a)" d="M0 0"/>')],
    ['an animation', inside('<path d="M0 0"><animate attributeName="d"/></path><set/>')],
    ['text', inside('<text>Karras</text>')],
    ['an entity', `<!DOCTYPE svg [<!ENTITY a "b">]>${PLAIN}`],
    ['a use of one', inside('<path d="&a;"/>')],
    ['a section', inside('<![CDATA[<script>1</script>]]>')],
    ['an instruction', `<?xml-stylesheet href="a.css"?>${PLAIN}`],
    ['no drawing', '<html><body/></html>'],
    ['no end', PLAIN.replace('</svg>', '')],
    ['crossed elements', inside('<g><path d="M0 0"></g></path>')],
    ['an attribute twice', inside('<path d="M0 0" d="M1 1"/>')],
    ['an open quote', inside('<path d="M0 0 />')],
    ['no size', `<svg ${NAMESPACE}><path d="M0 0"/></svg>`],
    ['a line for a box', `<svg ${NAMESPACE} viewBox="0 0 1000 1"><path d="M0 0"/></svg>`],
    ['an endless transform', inside('<g transform="evil(1)"><path d="M0 0"/></g>')],
  ])('with %s is refused', (_, text) => {
    expect(redrawnSvg(text)).toBe('not_a_logo')
  })

  test.each([
    ['too many shapes', inside('<path d="M0 0"/>'.repeat(501))],
    ['too deep groups', inside(`${'<g>'.repeat(40)}${'</g>'.repeat(40)}`)],
  ])('of %s is refused', (_, text) => {
    expect(redrawnSvg(text)).toBe('logo_too_large')
  })

  test('of any text has nothing but shapes', () => {
    const pieces = fc.constantFrom(
      ...[PLAIN, INKSCAPE, ILLUSTRATOR].flatMap((text) => text.split(/(?=[<>"=])/)),
      '<script>',
      'onload=',
      '"javascript:x"',
      '<!--',
      '-->',
      '<![CDATA[',
      'href="x"',
      '<style>',
      '&lt;',
    )
    const text = fc
      .tuple(fc.constantFrom(PLAIN, INKSCAPE, ''), fc.array(pieces), fc.nat())
      .map(([start, more, at]) => {
        const place = at % (start.length + 1)
        return start.slice(0, place) + more.join('') + start.slice(place)
      })
    fc.assert(
      fc.property(text, (given) => {
        const drawn = redrawnSvg(given)
        if (typeof drawn === 'string') return
        expect(drawn.svg).toMatch(
          /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="[^"<>&]*"(?: [a-z-]+="[^"<>&:]*")*>(?:<(?:\/g|(?:g|path|rect|circle|ellipse|line|polyline|polygon)(?: [a-z\d-]+="[^"<>&:]*")*\/?)>)*<\/svg>$/,
        )
      }),
    )
  })
})

describe('an uploaded logo', () => {
  const upload = (bytes: Buffer | string) =>
    app.call(uploadLogo, { as: admin, body: { content: Buffer.from(bytes).toString('base64') } })
  const aPng = (width: number, height: number, background = '#d6455d80') =>
    sharp({ create: { width, height, channels: 4, background } })

  test('is drawn anew, stored once, and sent so that nothing in it can run', async () => {
    const { logo } = await upload(INKSCAPE)
    expect(await upload(INKSCAPE)).toEqual({ logo })
    expect(readLogoName(logo)).toEqual({ width: 240, height: 120, type: 'svg' })
    const answer = await app.request('GET', logoAddress(logo))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(String(answer.body)).toContain('<svg width="240" height="120" xmlns')
  })

  test('as PNG keeps its transparency and loses whatever else the file holds', async () => {
    const png = await aPng(2000, 500)
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .png()
      .toBuffer()
    const { logo } = await upload(png)
    expect(readLogoName(logo)).toEqual({ width: 480, height: LOGO_BOX.height, type: 'png' })
    const answer = await fetch(app.url + logoAddress(logo))
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.includes('secret place')).toBe(false)
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 480, hasAlpha: true })
  })

  test('of another kind, damaged or too large is refused', async () => {
    const whole = await aPng(100, 50).png().toBuffer()
    const wrong = [
      await aPng(10, 10).webp().toBuffer(),
      whole.subarray(0, 60),
      Buffer.from('%PDF-1.7'),
      Buffer.from([0xff, 0xfe, 0x3c, 0x00]),
      Buffer.from(inside('<script/>')),
      // Nothing of these can be seen.
      Buffer.from(inside('')),
      Buffer.from(inside('<rect x="50" width="9" height="9"/>')),
      await aPng(9, 9, '#0000').png().toBuffer(),
    ]
    for (const bytes of wrong) {
      await expectRefused(upload(bytes), 415, 'not_a_logo')
    }
    const vast = await aPng(4500, 4500).png({ palette: true }).toBuffer()
    await expectRefused(upload(vast), 400, 'logo_too_large')
    const long = Buffer.alloc(LOGO_MAX_BYTES + 3, ' ')
    expect((await refused(upload(long))).status).toBeGreaterThanOrEqual(400)
  })

  test('that is unknown is not found', async () => {
    for (const name of ['0123456789abcdef-10x10.svg', 'x.svg', '..%2Fsecret', 'icon-9.png']) {
      expect((await app.request('GET', `/media/brand/${name}`)).status).toBe(404)
    }
  })
})
