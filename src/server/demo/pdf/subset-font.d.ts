declare module 'subset-font' {
  interface Options {
    keepAllGlyphs?: boolean
    targetFormat?: 'truetype' | 'sfnt' | 'woff' | 'woff2'
    variationAxes?: Record<string, number>
  }
  /** Cuts a font down to what `text` needs; `keepAllGlyphs` takes no text. */
  export default function subsetFont(
    font: Buffer,
    text: string | undefined,
    options?: Options,
  ): Promise<Buffer>
}
