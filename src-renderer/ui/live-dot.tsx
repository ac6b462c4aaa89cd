import classes from './live-dot.module.css'

/** Whether something is there, as a dot and in words for whoever does not see it. */
export function LiveDot({ live, label }: { live: boolean; label: string }) {
  return <span className={classes.dot} data-live={live || undefined} role="img" aria-label={label} title={label} />
}
