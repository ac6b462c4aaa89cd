/** Earmark's mark: a page with a folded corner. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M9 3h9l8 8v14a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4Z" fill="#4263eb" />
      <path d="M18 3v5a3 3 0 0 0 3 3h5Z" fill="#bac8ff" />
    </svg>
  )
}
