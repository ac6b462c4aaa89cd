import classes from './swatch.module.css'

/** A color as it is. One that is partly transparent stands on a checkerboard, which shows through. */
export function Swatch({ color, className }: { color: string; className: string | undefined }) {
  return (
    <span className={`${className} ${classes.ground}`}>
      {/* As a color, not as a background: an address in it would be fetched. */}
      <span className={classes.color} style={{ backgroundColor: color }} />
    </span>
  )
}
