import type { ReactElement, SVGProps } from 'react'

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Width and height in pixels. */
  size?: number
  /** Width of its lines where it is 24 pixels wide. */
  stroke?: number
}

export type Icon = (props: IconProps) => ReactElement

/**
 * An icon of lines in the color of the text around it, which says what it means.
 *
 * @param lines what each path draws, on a square of 24
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
