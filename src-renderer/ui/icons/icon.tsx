import type { ReactElement, SVGProps } from 'react'

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Width and height in pixels. */
  size?: number
  /** The width of its lines if the icon is 24 pixels wide. */
  stroke?: number
}

export type Icon = (props: IconProps) => ReactElement

/**
 * Creates an icon of lines in the color of the text around it. Screen readers skip it, because that text has its meaning.
 *
 * @param lines the path data of each line, in a square of 24
 */
export function icon(...lines: string[]): Icon {
  return ({ size = 24, stroke = 2, ...rest }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      {lines.map((line) => (
        <path key={line} d={line} />
      ))}
    </svg>
  )
}

/** Earmark's mark: a page with a folded corner. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M9 3h9l8 8v14a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4Z" fill="#4263eb" />
      <path d="M18 3v5a3 3 0 0 0 3 3h5Z" fill="#bac8ff" />
    </svg>
  )
}
