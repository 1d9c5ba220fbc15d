import { pdfOf } from './uploads.ts'

/**
 * A PDF with one line of Arabic without its font. Each glyph, in the order of writing, is what the
 * font says that it stands for: a ligature's own character (ﷲ), or letters one by one.
 */
export function anArabicPdf(glyphs: readonly string[], { hasMap = true } = {}): Buffer {
  const code = (at: number) => (0x100 + at).toString(16).padStart(4, '0')
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex')
  // Printers draw from left to right.
  const drawn = glyphs.map((_, at) => code(at)).toReversed()
  const map = glyphs.map((stands, at) => `<${code(at)}> <${utf16(stands)}>`)
  const stream = (text: string) => ({ dictionary: '', data: Buffer.from(text) })
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 2000 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    stream(`BT /F 20 Tf 20 700 Td <${drawn.join('')}> Tj ET`),
    `<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Simplified#20Arabic/Encoding/Identity-H/DescendantFonts[6 0 R]${hasMap ? '/ToUnicode 8 0 R' : ''}>>`,
    '<</Type/Font/Subtype/CIDFontType2/BaseFont/ABCDEF+Simplified#20Arabic/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 7 0 R/DW 600>>',
    '<</Type/FontDescriptor/FontName/ABCDEF+Simplified#20Arabic/Flags 4/FontBBox[-600 -300 1400 1000]/ItalicAngle 0/Ascent 900/Descent -200/CapHeight 700/StemV 80>>',
    stream(
      `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def 1 begincodespacerange <0000> <ffff> endcodespacerange ${map.length} beginbfchar ${map.join(' ')} endbfchar endcmap end end`,
    ),
  ])
}
