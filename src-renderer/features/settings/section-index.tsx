import { useScrollSpy } from '@mantine/hooks'
import { useEffect } from 'react'
import { settings as strings } from '../../strings/settings.ts'
import classes from './section-index.module.css'

/** Where in the window the section that is read begins, in pixels. */
const READ = 80

/**
 * The sections of the page, with the one that is read marked.
 *
 * @param whole what the page consists of: it is looked through again when this changes
 */
export function SectionIndex({ whole }: { whole: unknown }) {
  const { data, active, reinitialize } = useScrollSpy({
    selector: 'section[id]',
    getDepth: () => 2,
    getValue: (section) => section.querySelector('h2')?.textContent ?? '',
    offset: READ
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other sections are there
  useEffect(() => {
    reinitialize()
    // The page was not there yet when the browser looked for what its address names.
    document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [whole])
  return (
    <nav className={classes.index} aria-label={strings.sections}>
      <ul>
        {data.map(({ id, value }, index) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={index === Math.max(0, active) ? 'location' : undefined}>
              {value}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
