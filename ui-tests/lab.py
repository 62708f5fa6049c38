"""JupyterLab with one notebook open: the document, its keys, the theme."""

from __future__ import annotations

from typing import cast
from urllib.parse import quote

from playwright.sync_api import Page, expect
from server import LabServer

_MODEL = "window.jupyterapp.shell.currentWidget.content.model.sharedModel"
_KERNEL_IDLE = (
    "() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status"
    " === 'idle'"
)

# The new document first: JupyterLab opens its launcher where none is left.
_OPEN = """async ([path, isOwnKernel]) => {
  const { commands, serviceManager, shell } = window.jupyterapp;
  const others = [...shell.widgets('main')];
  if (isOwnKernel) {
    await serviceManager.kernelspecs.refreshSpecs();
  }
  const [session] = isOwnKernel ? [] : serviceManager.sessions.running();
  await commands.execute('docmanager:open', { path, kernel: session?.kernel });
  others.forEach(widget => widget.dispose());
  shell.collapseRight();
}"""
_OPEN_FOLDER = """async path => {
  const { commands, shell } = window.jupyterapp;
  [...shell.widgets('main')].forEach(widget => widget.dispose());
  shell.collapseRight();
  await commands.execute('filebrowser:go-to-path', { path });
  await commands.execute('filebrowser:refresh');
}"""


def open_folder(page: Page, server: LabServer, folder: str, workspace: str) -> None:
    """Show a folder in the file browser of a JupyterLab without open documents."""
    if server.is_shown(page):
        page.evaluate(_OPEN_FOLDER, f"/{folder}")
    else:
        tree = f"/tree/{quote(folder)}" if folder else ""
        page.goto(f"{server.url}/lab/workspaces/{workspace}{tree}?token={server.token}")


class Lab:
    """A notebook open in a browser."""

    def __init__(self, page: Page, server: LabServer, notebook: str, *, workspace: str) -> None:
        self.page = page
        self.server = server
        self.notebook = notebook
        self.address = server.address(notebook, workspace)

    def open(self, *, own_kernel: bool = False) -> None:
        """Open the notebook; it is there and its kernel idle when this returns."""
        self.show(own_kernel=own_kernel)
        self.ready()

    def show(self, *, own_kernel: bool = False) -> None:
        """Open the notebook, and wait neither for it nor for its kernel.

        Where JupyterLab is loaded already, it is opened there and all other documents are closed.

        Args:
            own_kernel: Start a kernel as the notebook's metadata say. Otherwise it gets the one
                that runs: the product runs a notebook in another one, in the sandbox.
        """
        if self.server.is_shown(self.page):
            self.page.evaluate(_OPEN, [self.notebook, own_kernel])
        else:
            if not own_kernel:
                self.server.lend_kernel(self.notebook)
            self.page.goto(self.address)

    def reload(self) -> None:
        """What F5 does."""
        self.page.reload()
        self.ready()

    def ready(self) -> None:
        """Wait for the notebook: before its kernel is there, JupyterLab may ask for one."""
        self.page.wait_for_function(_KERNEL_IDLE, timeout=180_000)

    def sources(self) -> list[str]:
        """The cells' texts, from the shared model: what a save would write.

        The document changes once a decision is recorded, so a decision on its way is awaited.
        """
        on_its_way = self.page.locator(".jp-mle-ReviewBar-line[aria-busy=true]")
        expect(on_its_way).to_have_count(0)
        return cast(
            list[str], self.page.evaluate(f"() => {_MODEL}.cells.map(cell => cell.getSource())")
        )

    def metadata(self) -> object:
        """What stands under our key in the notebook's metadata."""
        return self.page.evaluate(f"() => {_MODEL}.getMetadata('mle_modernizer') ?? null")

    def set_metadata(self, key: str, value: object) -> None:
        """Change the notebook's metadata, as a kernel that was chosen does."""
        self.page.evaluate(f"([key, value]) => {_MODEL}.setMetadata(key, value)", [key, value])

    def type_into(self, index: int, source: str) -> None:
        """Another text for a cell, as a person or a collaborator would write it."""
        self.page.evaluate(
            f"([index, source]) => {_MODEL}.cells[index].setSource(source)", [index, source]
        )

    def undo_in_cell(self, index: int) -> None:
        """Ctrl+Z with the cursor in a cell."""
        editor = self.page.get_by_role("main").locator(".jp-Notebook .cm-content").nth(index)
        editor.click()
        editor.press("Control+z")

    def undo_in_notebook(self) -> None:
        """`Z` in command mode."""
        notebook = self.page.get_by_role("main").locator(".jp-Notebook")
        notebook.locator(".jp-InputPrompt").first.click()
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("z")

    def theme(self, name: str) -> None:
        """Change the theme, by JupyterLab's own command."""
        self.page.evaluate(
            "theme => { void window.jupyterapp.commands.execute("
            "'apputils:change-theme', { theme }); }",
            name,
        )
        self.page.wait_for_function(
            "theme => document.body.dataset.jpThemeName === theme", arg=name
        )

    def widen_right_area(self, pixels: int) -> None:
        """Give the panel more room, as a person does with the mouse."""
        self.page.evaluate(
            """pixels => {
              const split = window.jupyterapp.shell._hsplitPanel;
              const [left, , right] = split.relativeSizes();
              const share = pixels / split.node.clientWidth;
              split.setRelativeSizes([left, 1 - left - share, share]);
            }""",
            pixels,
        )
