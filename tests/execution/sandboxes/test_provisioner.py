"""The provisioner serves any Jupyter kernel manager, by kernelspec metadata alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager

from mle_modernizer_server.execution.sandboxes.choose import choose_sandbox


class OneSpec(KernelSpecManager):
    def get_kernel_spec(self, kernel_name):
        return KernelSpec(
            argv=["python", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            display_name="Sandboxed",
            language="python",
            interrupt_mode="message",
            metadata={
                "kernel_provisioner": {
                    "provisioner_name": "mle-modernizer-sandbox",
                    "config": {"sandbox": "process"},
                }
            },
        )


async def _session() -> tuple[Path, str, str]:
    manager = AsyncKernelManager(kernel_spec_manager=OneSpec(), kernel_name="any")
    await manager.start_kernel()
    runtime = Path(manager.connection_file).parent
    answers = []
    for _ in range(2):
        client = manager.client()
        client.start_channels()
        await client.wait_for_ready(timeout=30)
        reply = await client.execute_interactive(
            "1", silent=True, user_expressions={"cwd": "__import__('os').getcwd()"}, timeout=30
        )
        answers.append(reply["content"]["user_expressions"]["cwd"]["data"]["text/plain"])
        client.stop_channels()
        if len(answers) == 1:
            await manager.restart_kernel(now=True)
    assert runtime.is_dir()
    await manager.shutdown_kernel(now=True)
    return runtime, answers[0], answers[1]


def test_kernel_without_a_workspace_gets_its_own_and_restarts():
    assert choose_sandbox("process").availability().ok
    runtime, first, second = asyncio.run(_session())
    assert first == second
    assert "kaggle/working" in first
    assert not runtime.exists()
