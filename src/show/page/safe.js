'use strict';
(() => {
  // The view without reasoning. It changes what is seen, not what the file has.
  document.addEventListener('DOMContentLoaded', () => {
    const button = document.getElementById('without');
    const note = document.getElementById('view');
    if (!document.querySelector('[data-ai-reasoning]')) return button.parentElement.remove();
    button.addEventListener('click', () => {
      const hides = button.getAttribute('aria-pressed') !== 'true';
      button.setAttribute('aria-pressed', String(hides));
      for (const box of document.querySelectorAll('[data-ai-reasoning]')) box.hidden = hides;
      note.hidden = !hides;
      document.dispatchEvent(new Event('without-reasoning'));
    });
  });
})();
