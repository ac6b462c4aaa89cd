import { useScrollSpy } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { settings as strings } from '../../strings/settings.ts'
import classes from './section-index.module.css'

/** Where in the window the section that is read begins, in pixels. */
const READ = 80

/** Whether the window shows the end of the page, and the part its address names. */
function usePlace(): { atEnd: boolean; hash: string } {
  const [place, setPlace] = useState({ atEnd: false, hash: location.hash })
  useEffect(() => {
    const look = () => {
      const { clientHeight, scrollHeight, scrollTop } = document.documentElement
      const atEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2
      setPlace((now) => (now.atEnd === atEnd && now.hash === location.hash ? now : { atEnd, hash: location.hash }))
    }
    look()
    for (const kind of KINDS) window.addEventListener(kind, look)
    return () => {
      for (const kind of KINDS) window.removeEventListener(kind, look)
    }
  }, [])
  return place
}

const KINDS = ['scroll', 'resize', 'hashchange']

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
  const { atEnd, hash } = usePlace()
  const asked = data.findIndex(({ id }) => `#${id}` === hash)
  // The last sections never come up to where one reads: at the page's end it is the one asked for, or the very last.
  const last = asked >= active ? asked : data.length - 1
  const read = atEnd ? last : Math.max(0, active)
  return (
    <nav className={classes.index} aria-label={strings.sections}>
      <ul>
        {data.map(({ id, value }, index) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={index === read ? 'location' : undefined}>
              {value}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
